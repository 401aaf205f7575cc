"""Days by which budgets and approvals end or begin anew: those of UTC, by the machine's clock.

What each year promises, and all together: docs/proofs/ledger.md.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from tacit.core.errors import InvalidArgument

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def now() -> str:
    """Return the time, to a second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def check_day(text: str, name: str = "until") -> str:
    """Refuse what is no day, such as 2027-12-31; days that are, compare as their texts do."""
    try:
        if isinstance(text, str) and _DAY.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise InvalidArgument(f"{name} must be a day such as 2027-12-31, got {str(text)[:40]!r}")


def check_renewal(text: str) -> str:
    """Refuse what is no day of every year, such as 04-01."""
    try:
        check_day(f"2001-{text}")
    except InvalidArgument:
        raise InvalidArgument(
            f"renews must be a day of every year such as 04-01, got {str(text)[:40]!r}"
        ) from None
    return text


def year_of(day: str, renews: str) -> str:
    """Return the last day of that name up to a day.

    >>> year_of("2026-11-18", "04-01"), year_of("2026-03-31", "04-01")
    ('2026-04-01', '2025-04-01')
    """
    this = f"{day[:4]}-{renews}"
    return this if this <= day else f"{int(day[:4]) - 1:04}-{renews}"
