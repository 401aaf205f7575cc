"""What `fit` does not take, and why."""

from __future__ import annotations

from collections.abc import Mapping

from tacit.core.errors import InvalidArgument


def refuse(unknown: Mapping[str, object]) -> None:
    """Refuse what `fit` does not take; weights with the reason.

    >>> refuse({"sample_weight": [1, 2]})
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: sample_weight is refused: privacy is promised for one row,
    and a row of weight 2 would count, and be seen, as two; leave the weights out
    """
    if "sample_weight" in unknown:
        raise InvalidArgument(
            "sample_weight is refused: privacy is promised for one row, and a row of weight 2 "
            "would count, and be seen, as two; leave the weights out"
        )
    if unknown.get("groups") is not None:
        raise InvalidArgument(
            "groups is refused: a search deals rows, and would deal those of one person to several "
            "candidates; fit one classifier with groups"
        )
    unknown = {name: value for name, value in unknown.items() if name != "groups"}
    if unknown:
        raise TypeError(f"fit takes X and y; got {', '.join(sorted(unknown))} too")
