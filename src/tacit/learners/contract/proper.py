"""Learners whose every output is a concept of the class they learn."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

K = TypeVar("K")


class Proper(Generic[K]):
    """What comes out belongs to the class itself, on every sample."""

    __slots__ = ()
    concepts: K

    proper: ClassVar[bool] = True

    @property
    def hypotheses(self) -> K:
        """The class itself."""
        return self.concepts
