"""Who is the same person: any cell as the code of an identifier."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from tacit.data.schema.cell import BLANKS, text
from tacit.kernels.reading.identifiers import MISSING, PLAIN, hashed

_WHOLE = re.compile(r"[+-]?[0-9]+(\.0*)?")
_REAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?[0-9]+e[+-][0-9]+")
"""Numbers as engines write them, with a point or a signed exponent: 12e5 may be a word of letters
and digits."""
_LONGEST = 19
"""Digits of PLAIN."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A column that tells persons apart; nothing of it is declared, and nothing is learned from it.

    Two cells are the same person if they hold the same number, however it is written, or the same
    text but for small and large letters, blanks around it and forms of one sign. What is missing is
    one person. Cells that one person could have in two files, or before and after a column changed
    its type, are the same; so who is protected does not depend on how a file was written. Different
    identifiers have different codes if they are integers from 0 to 2^61; other integers and texts
    may share one with a chance of 2^-61, and are one person then, as are numbers with a point that
    a float64 does not tell apart, and texts that differ in bytes that are no UTF-8.

    >>> same = Identity()
    >>> [same.code(cell) for cell in (17, "17", " 017 ", 17.0, b"1.7e+1")]
    [17, 17, 17, 17, 17]
    >>> same.code("P-7a") == same.code(" p-7A"), same.code("P-7a") == same.code("P-7b")
    (True, False)
    >>> same.code(None) == same.code("") == same.code(float("nan")) == MISSING
    True
    """

    size: ClassVar[int] = MISSING + 1
    outside: ClassVar[str] = "clip"

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        folded = normalize("NFKC", text(value) or "").casefold()
        read = normalize("NFKC", folded).strip(BLANKS)  # once more: letters fold to several signs
        if not read:
            return MISSING
        if not _WHOLE.fullmatch(read):
            real = float(read) if _REAL.fullmatch(read) else math.inf
            if not real.is_integer():
                return hashed((read if math.isinf(real) else repr(real)).encode())
            read = str(int(real))
        digits = read.partition(".")[0].lstrip("+-0") or "0"
        signed = f"-{digits}" if read[0] == "-" and digits != "0" else digits
        if len(digits) <= _LONGEST and 0 <= int(signed) < PLAIN:
            return int(signed)
        return hashed(signed.encode())

    def codes(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        """Return the codes of numbers, each as `code` does."""
        floats = numbers.dtype.kind == "f"
        plain = (numbers >= 0) & (numbers < (1 << 53 if floats else PLAIN))
        if floats:
            plain &= numbers == np.floor(numbers)
        codes = np.where(plain, numbers, 0).astype(np.int64)
        for place in np.flatnonzero(~plain).tolist():
            codes[place] = self.code(numbers[place].item())
        return codes
