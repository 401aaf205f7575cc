"""Who is answered at all: the explorer's own pages, on this machine, under this start's secret.

The secret is in the path, not in a cookie: a browser sends the cookies of 127.0.0.1 to every port
of it, whoever listens there, and holds all of them for one site.
"""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
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
KINDS = {"POST": "application/json", "PUT": "application/octet-stream"}
"""What a request that computes or changes something must carry: no other site's form can."""

CHECKED = ("host", "origin", "content-type", "sec-fetch-site", "sec-fetch-mode")


class Guard:
    """Passes on what lies under `/TOKEN/`, with the token taken off; all else hears nothing.

    The address of the machine must be its loopback name and this port, so that no other site's name
    can be pointed here. Beside the token, the browser must say that the request comes from a page
    of this server: what only shows a page may be followed from anywhere, such as a printed address.
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
        headers = Headers(scope=scope)
        path = self._inside(scope, headers)
        if path is None:
            unknown = Response(status_code=404, headers=HEADERS | {"Connection": "close"})
            await unknown(scope, receive, send)
            return
        answers = _refusal(scope["method"], path, headers) or self.app
        await answers(
            dict(scope, path=path, raw_path=path.encode("utf-8", "replace"), root_path=""),
            receive,
            _sealed(send),
        )

    def _inside(self, scope: Scope, headers: Headers) -> str | None:
        """Return the path behind the token, if the request may pass."""
        if any(len(headers.getlist(name)) > 1 for name in CHECKED):
            return None
        name, _, port = headers.get("host", "").rpartition(":")
        if name not in NAMES or port != str(scope["server"][1]):
            return None
        given, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(
            given.encode("utf-8", "replace"), self.token.encode()
        ):
            return None
        return f"/{rest}"


def _refusal(method: str, path: str, headers: Headers) -> Response | None:
    """Return what is said to a request that another site has made, or could have made."""
    site = headers.get("sec-fetch-site", "same-origin")
    if method in ("GET", "HEAD"):
        shown = headers.get("sec-fetch-mode") == "navigate" and path.count("/") == 1
        ours = shown or site in ("same-origin", "none")
    else:
        ours = site == "same-origin" and headers.get("origin") == f"http://{headers['host']}"
    if not ours:
        return _said(403, "this does not come from a page of the explorer; open its address again")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != KINDS.get(method, kind):
        return _said(415, f"a {method} request must carry {KINDS[method]}")
    return None


def _said(status: int, why: str) -> Response:
    return JSONResponse({"why": why}, status_code=status)


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
