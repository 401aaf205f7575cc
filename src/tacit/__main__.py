"""`python -m tacit` is the `tacit` command."""

from tacit.interfaces.command import main

main()
