"""Lists on the command line: comma-separated, repeated, or both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tacit.core.errors import InvalidArgument


def split(given: Iterable[str], known: Collection[str] = ()) -> list[str]:
    """Return the names of `--labels a,b --labels c`; what is a known name is not split.

    >>> split(["a,b", " c "]), split(["a,b", "d, e"], known=["d, e", "a"])
    (['a', 'b', 'c'], ['a', 'b', 'd, e'])
    """
    parts = ([text] if text in known else text.split(",") for text in given)
    return [
        name if name in known else name.strip() for part in parts for name in part if name.strip()
    ]


def listed(names: Iterable[str]) -> str:
    """Write names by commas, one that holds a comma in quotes.

    >>> listed(["age", "race, before"])
    "age, 'race, before'"
    """
    return ", ".join(repr(name) if "," in name else name for name in names)


def read_cuts(
    text: str, option: str = "--cuts", names: Sequence[str] = ()
) -> tuple[str, list[str]]:
    """Read where a number is cut; where there is one name only, it need not be said.

    >>> read_cuts("income=20:40"), read_cuts("3:7", names=["days"])
    (('income', ['20', '40']), ('days', ['3', '7']))
    """
    name, sign, places = text.rpartition("=")
    if not sign and len(names) == 1:
        name = names[0]
    if not name.strip() or not places.strip() or "," in places:
        raise InvalidArgument(f"{option} must look like income=20:40:60, got {text!r}")
    return name.strip(), [place.strip() for place in places.split(":")]


def read_weights(given: Iterable[str], names: Sequence[str]) -> dict[str, str]:
    """Read how many false alarms a miss of some labels costs; one label need not be named.

    >>> read_weights(["ill=5, dead=20"], ["ill", "dead"]), read_weights(["5/2"], ["ill"])
    ({'ill': '5', 'dead': '20'}, {'ill': '5/2'})
    """
    found = {}
    for text in split(given):
        name, sign, weight = text.rpartition("=")
        if not sign and len(names) != 1:
            raise InvalidArgument(f"--weights must look like {names[0]}=5, got {text!r}")
        found[name.strip() if sign else names[0]] = weight.strip()
    return found


def read_by(text: str | None, known: Collection[str]) -> tuple[str | None, list[str] | None]:
    """Read a column whose groups are told, and where it is cut, if that is said.

    >>> read_by("age=40:65", ["age"]), read_by("sex", ["sex"])
    (('age', ['40', '65']), ('sex', None))
    """
    if text is None or text in known or "=" not in text:
        return text, None
    return read_cuts(text, "--by")
