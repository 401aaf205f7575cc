"""What can go wrong, in public words only."""


class TacitError(Exception):
    """Anything that tacit refuses; the message names the way out."""


class InvalidArgument(TacitError, ValueError):
    """An argument has the wrong kind or lies outside its range."""


class NotExact(TacitError, TypeError):
    """A number that must be exact was given in a form that is not."""


class TooLarge(TacitError, ValueError):
    """An exact enumeration was asked for that would not end in reasonable time."""


class MissingExtra(TacitError, ImportError):
    """An optional dependency is absent; the message is the command to run."""

    def __init__(self, *, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed; run: pip install 'tacit[{extra}]'")
