"""`python -m tacit` is the `tacit` command."""

from tacit.interfaces.cli.command import main

main()
