"""Where uniform bits come from: two sources with honest names, one stream cipher."""

from __future__ import annotations

import hashlib
import os
from threading import Lock
from typing import Never, Protocol

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

from tacit.core import check

BLOCK = 1 << 16  # bytes drawn ahead: a call of the cipher then costs little a draw


class Random(Protocol):
    """A source of uniform bits; the only thing our samplers ask for."""

    def bits(self, count: int, /) -> int:
        """Return a uniform integer in range(2^count)."""

    def below(self, bound: int, /) -> int:
        """Return a uniform integer in range(bound)."""

    def words(self, count: int, /) -> NDArray[np.uint64]:
        """Return `count` independent uniform 64-bit words."""


class _Stream:
    """AES-256 in counter mode, read in blocks by one thread at a time."""

    __slots__ = ("_buffer", "_cipher", "_lock", "_place")

    def __init__(self, key: bytes) -> None:
        self._key(key)

    def bits(self, count: int, /) -> int:
        """Return a uniform integer in range(2^count)."""
        check.count(count=count)
        size = -(-count // 8)
        return int.from_bytes(self._take(size), "big") >> (8 * size - count)

    def below(self, bound: int, /) -> int:
        """Return a uniform integer in range(bound), by exact rejection."""
        check.count(bound=bound, least=1)
        width = (bound - 1).bit_length()
        while True:
            value = self.bits(width)
            if value < bound:
                return value

    def words(self, count: int, /) -> NDArray[np.uint64]:
        """Return `count` independent uniform 64-bit words."""
        check.count(count=count)
        with self._lock:
            drawn = self._cipher.update(bytes(8 * count))
        return np.frombuffer(drawn, dtype="<u8").astype(np.uint64)

    def _key(self, key: bytes) -> None:
        self._lock = Lock()
        self._cipher = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
        self._buffer = b""
        self._place = 0

    def _take(self, size: int) -> bytes:
        with self._lock:
            if self._place + size > len(self._buffer):
                self._buffer = self._cipher.update(bytes(max(BLOCK, size)))
                self._place = 0
            taken = self._buffer[self._place : self._place + size]
            self._place += size
            return taken

    def __reduce__(self) -> Never:
        raise TypeError("a source of randomness is never copied or stored: two copies draw alike")


class _Forks:
    """Counts the forks that led to this process: a child must not draw what its parent draws."""

    count = 0

    @classmethod
    def happened(cls) -> None:
        cls.count += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Forks.happened)


class System(_Stream):
    """Operating-system entropy: the only source whose releases are private.

    Threads may share a source; a forked process draws other bits than its parent; a source cannot
    be pickled or copied.

    >>> System().below(1)
    0
    """

    __slots__ = ("_born",)

    def __init__(self) -> None:
        self._new_key()

    def words(self, count: int, /) -> NDArray[np.uint64]:
        """Return `count` independent uniform 64-bit words."""
        self._new_key_after_fork()
        return super().words(count)

    def _take(self, size: int) -> bytes:
        self._new_key_after_fork()
        return super()._take(size)

    def _new_key(self) -> None:
        self._key(os.urandom(32))
        self._born = os.getpid(), _Forks.count  # last: an interrupted change of key starts again

    def _new_key_after_fork(self) -> None:
        if self._born != (os.getpid(), _Forks.count):
            self._new_key()


class Seeded(_Stream):
    """Reproducible, hence NOT private: tests, documentation and simulations only.

    >>> Seeded(7).bits(16) == Seeded(7).bits(16)
    True
    """

    __slots__ = ()

    def __init__(self, seed: int) -> None:
        check.count(seed=seed)
        super().__init__(hashlib.sha256(f"tacit seeded source {seed}".encode()).digest())


def is_secure(rng: Random) -> bool:
    """Tell whether what is drawn with this source is a private release: with `System` only.

    Another source, even one derived from `System`, may draw what it likes: so it is asked for its
    type, never for its word.

    >>> is_secure(System()), is_secure(Seeded(7))
    (True, False)
    """
    return type(rng) is System
