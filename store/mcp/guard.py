"""Who may speak to the server over HTTP: programs of this machine that have the token, and no web page."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class Guard:
    """Lets requests through to an application, and refuses all others before anything of them is read.

    A page whose name was made to resolve to this machine (DNS rebinding) sends its own name as Host, and any
    page of a browser its Origin: neither is let in, whatever it knows.

    Args:
        names: hosts by which this server may be called, port included.
        token: what a request must bear.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], token: str) -> None:
        self._app = app
        self._hosts = {name.encode() for name in names}
        self._origins = {b"http://" + host for host in self._hosts}
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of the server."""
        if scope["type"] == "http" and (refusal := self._refusal(scope)):
            await refusal(scope, receive, send)
        elif scope["type"] in ("http", "lifespan"):
            await self._app(scope, receive, send)

    def _refusal(self, scope: MutableMapping[str, Any]) -> PlainTextResponse | None:
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        if not _is_one_of(headers.get(b"host"), self._hosts):
            return PlainTextResponse("This server is not known by that name.", 421)
        if b"origin" in headers and not _is_one_of(headers[b"origin"], self._origins):
            return PlainTextResponse("Web pages are not served.", 403)
        if not self._bears_token(headers):
            return PlainTextResponse(
                "A token is needed.", 401, headers={"WWW-Authenticate": "Bearer"}
            )
        return None

    def _bears_token(self, headers: Mapping[bytes, list[bytes]]) -> bool:
        given = headers.get(b"authorization", [])
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def _is_one_of(values: list[bytes] | None, allowed: set[bytes]) -> bool:
    return values is not None and len(values) == 1 and values[0] in allowed
