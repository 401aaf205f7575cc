"""Connections: each must ask soon, and when there are too many, one that asks nothing goes."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

ASK_SECONDS = 5.0
"""A new connection has so long for the whole head of its first request, however it is cut."""

MOST = 100


class Connection(H11Protocol):
    """uvicorn's connection, which by itself waits for a request without end.

    Who has no token is answered with one line and closed, so what stays open for long is either
    silent, and has a deadline, or belongs to a page.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.since = self.loop.time()
        self.deadline: asyncio.TimerHandle | None = None

    @property
    def asking(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set the deadline; one too many takes the place of the longest that asks nothing."""
        super().connection_made(transport)
        self._within(ASK_SECONDS)
        others = [each for each in self.connections if isinstance(each, Connection)]
        alive = [each for each in others if not each.transport.is_closing()]
        if len(alive) > MOST:
            silent = [each for each in alive if not each.asking and each is not self]
            for each in sorted(silent, key=lambda each: (each.cycle is not None, each.since))[:1]:
                each.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Hear bytes; only a whole head moves the deadline."""
        super().data_received(data)
        if self.asking:
            self._within(None)

    def on_response_complete(self) -> None:
        """Wait a while for the next request."""
        super().on_response_complete()
        if not self.asking:
            self._within(self.timeout_keep_alive)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._within(None)
        super().connection_lost(exc)

    def _within(self, seconds: float | None) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
        self.deadline = (
            None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
        )
