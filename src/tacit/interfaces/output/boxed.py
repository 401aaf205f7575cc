"""Words that others chose, such as the names of columns, as a screen may show them."""


def boxed(said: str, *, kept: str = "\n\t") -> str:
    r"""Return a text with a box for each character that a terminal or a page would obey.

    >>> boxed("age\x1b[2J\n")
    'age□[2J\n'
    """
    return "".join(c if c.isprintable() or c in kept else "\u25a1" for c in said)
