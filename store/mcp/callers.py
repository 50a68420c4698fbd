"""Who calls, and from where: a client's name and roots as the origin of what it writes.

Both are the client's own word. They bind what is written and are shown to its reviewer; nothing is
permitted by them.
"""

from __future__ import annotations

import logging
import os
import unicodedata
from collections import OrderedDict
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    ClientCapabilities,
    Implementation,
    InputRequiredResult,
    InputResponseRequestParams,
    InputResponses,
    ListRootsRequest,
    ListRootsResult,
    RootsCapability,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from store.records import Origin
from store.sessions import project_of

SESSION_HEADER = "mcp-session-id"
_NAME, _VERSION = 60, 30  # characters of a client's own name and version
_PATH = 4096  # characters of a directory
_PATIENCE = 5.0  # seconds for a client to tell its roots
_KNOWN = 1000  # sessions whose roots are remembered
_ROOTS = "roots"
_HAS_ROOTS = ClientCapabilities(roots=RootsCapability())

_log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]


class Callers:
    """Tells the origin of calls; asks each client for its roots once a session.

    Args:
        session: the session of clients whose transport has none: one process serves one client then.
            Empty where every request may be from another.
        directory: where clients work that tell no roots.
    """

    def __init__(self, session: str, directory: str) -> None:
        self._session = session
        self._directory = directory
        self._roots: OrderedDict[str, str] = OrderedDict()

    async def origin(
        self, ctx: Context, params: InputResponseRequestParams
    ) -> Origin | InputRequiredResult:
        """Return who calls from where, or what the client must tell before that can be said."""
        directory = await self._directory_of(ctx, params.input_responses)
        if directory is None:
            return InputRequiredResult(input_requests={_ROOTS: ListRootsRequest()})
        return self._made(ctx, directory)

    async def origin_as_known(self, ctx: Context) -> Origin:
        """Return who calls from where, for a request that cannot carry a client's answer."""
        return self._made(ctx, await self._directory_of(ctx, {}) or "")

    def _made(self, ctx: Context, directory: str) -> Origin:
        told = ctx.session.client_params
        return Origin(
            recorded_by=recorded_by(told.client_info if told else None),
            session_id=self._session_of(ctx),
            project_root=project_of(directory or self._directory),
        )

    def forget_roots(self, ctx: Context) -> None:
        """Ask a client for its roots again: they have changed."""
        self._roots.pop(self._session_of(ctx), None)

    def _session_of(self, ctx: Context) -> str:
        headers = getattr(ctx.request, "headers", {})
        return str(headers.get(SESSION_HEADER, "")) or self._session

    async def _directory_of(self, ctx: Context, answers: InputResponses | None) -> str | None:
        """Return where a client works, empty when it does not say, None when it is yet to be asked."""
        if not ctx.session.check_client_capability(_HAS_ROOTS):
            return ""
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            # A server asks nothing by itself there: it answers that it needs to know, and is asked again.
            if answers is None:
                return None
            answer = answers.get(_ROOTS)
            return first_directory(answer) if isinstance(answer, ListRootsResult) else ""
        session = self._session_of(ctx)
        if session not in self._roots:
            self._roots[session] = await _ask(ctx)
            if len(self._roots) > _KNOWN:
                self._roots.popitem(last=False)
        return self._roots[session]


async def _ask(ctx: Context) -> str:
    """Ask a client for its roots, on the stream of the request that is being answered."""
    try:
        with anyio.fail_after(_PATIENCE):
            answer = await ctx.session.send_request(
                ListRootsRequest(),
                ListRootsResult,
                metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
            )
    except (MCPError, ValidationError, TimeoutError) as error:
        _log.info("the client did not tell its roots: %s", type(error).__name__)
        return ""
    return first_directory(answer)


def first_directory(told: ListRootsResult) -> str:
    """Return the first root that is a directory on this machine, as an absolute path; empty without one."""
    for root in told.roots:
        parts = urlsplit(str(root.uri))
        path = unquote(parts.path)
        local = parts.scheme == "file" and parts.netloc in ("", "localhost")
        if local and os.path.isabs(path) and len(path) <= _PATH and path.isprintable():
            return os.path.normpath(path)
    return ""


def recorded_by(client: Implementation | None) -> str:
    """Return the provenance of what a client writes: ``mcp:NAME/VERSION``, in visible characters."""
    name = _clean(client.name, _NAME) if client else ""
    version = _clean(client.version, _VERSION) if client else ""
    return f"mcp:{name or 'unknown'}/{version.replace('/', '-') or 'unknown'}"


def _clean(text: str, length: int) -> str:
    """Return what can be seen of a text, on one line: no controls, nothing invisible, no piled-up marks."""
    shown = "".join(
        char if char.isprintable() and unicodedata.category(char) != "Mn" else " "
        for char in unicodedata.normalize("NFC", text[: 4 * length])
    )
    return " ".join(shown.split())[:length].rstrip()
