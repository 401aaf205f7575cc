"""Who is answered at all: a request to this machine's name, under the secret of this start."""

from __future__ import annotations

import hmac

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
NAMES = ("127.0.0.1", "localhost")


class Guard:
    """Passes on what lies under `/TOKEN/`, with the token taken off; all else hears nothing.

    The address of the machine must be its loopback name, so that no other site's name can be
    pointed here; what carries the token is the path, so that no cookie is sent along unasked.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        path = self._inside(scope)
        if path is None:
            await _closed(Response(status_code=404))(scope, receive, send)
            return
        await self.app(
            dict(scope, path=path, raw_path=path.encode("utf-8", "replace"), root_path=""),
            receive,
            _sealed(send),
        )

    def _inside(self, scope: Scope) -> str | None:
        """Return the path behind the token, if the request may pass."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0].decode("latin-1").rpartition(":")[0] not in NAMES:
            return None
        given, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(
            given.encode("utf-8", "replace"), self.token.encode()
        ):
            return None
        return f"/{rest}"


def _closed(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response


def _sealed(send: Send) -> Send:
    """Add the headers to whatever is answered, unless the answer has stricter ones."""

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            message = dict(message, headers=headers.raw)
        await send(message)

    return sealed
