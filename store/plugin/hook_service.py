"""`hook.v1.HookSubscriberService`: hears what the assistant wants remembered, and never holds a turn up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

from google.protobuf.message import Message

from store.plugin.calls import Call, Method
from store.plugin.drafts import Drafts
from store.plugin.logs import HostLog
from store.plugin.remembered import asked
from store.sessions import Sessions
from store.wire.echo import delimited, field_bytes
from store.wire.gen.pluggableharness.content.v1 import content_pb2
from store.wire.gen.pluggableharness.hook.v1 import payload_pb2
from store.wire.gen.pluggableharness.hook.v1 import service_pb2 as pb

_PATIENCE = (
    0.02  # seconds that the end of a session waits for drafts and logs; a hook may take 50 ms
)

_log = logging.getLogger(__name__)


class HookService:
    """One call for every hook point; the answer has the form that the mode asks for."""

    def __init__(self, sessions: Sessions, drafts: Drafts, log: HostLog) -> None:
        self._sessions = sessions
        self._drafts = drafts
        self._host_log = log

    @property
    def methods(self) -> Mapping[str, Method]:
        """All methods, by name."""
        return {"DispatchHook": (pb.DispatchHookRequest, self.dispatch_hook)}

    def dispatch_hook(self, request: pb.DispatchHookRequest, call: Call) -> Message | bytes:
        """Hear a hook. Nothing that goes wrong with what is heard may fail the turn."""
        try:
            self._hear(request.payload)
        except Exception as error:
            _log.error("a hook was not heard", exc_info=error)
        if request.mode == pb.HOOK_MODE_TRANSFORM:
            return _echo(call.request)
        if request.mode == pb.HOOK_MODE_VETO:
            allow = pb.DispatchHookResponse.VetoResult(decision=pb.HOOK_DECISION_ALLOW)
            return pb.DispatchHookResponse(veto=allow)
        return pb.DispatchHookResponse(observe=pb.DispatchHookResponse.ObserveAck())

    def _hear(self, payload: payload_pb2.HookPayload) -> None:
        match payload.WhichOneof("payload"):
            case "session_start":
                it = payload.session_start
                self._sessions.note(it.session_id, it.working_directory, it.parent_session_id)
            case "post_model_response":
                self._draft(payload.post_model_response.message)
            case "session_end":
                self._end(payload.session_end.session_id)

    def _draft(self, message: content_pb2.Message) -> None:
        if message.role != content_pb2.ROLE_USER:
            wanted = [
                each
                for block in message.content
                if block.WhichOneof("block") == "text"
                for each in asked(block.text.text)
            ]
            if wanted:
                self._drafts.add(wanted, "hook:post_model_response")

    def _end(self, session_id: str) -> None:
        self._drafts.settle(_PATIENCE)
        self._sessions.end(session_id)
        flushing = threading.Thread(target=self._host_log.flush, name="flush", daemon=True)
        flushing.start()
        flushing.join(_PATIENCE)


def _echo(request: bytes) -> bytes:
    """Return the answer to a transform, with the payload of the request as it came."""
    payload = field_bytes(request, pb.DispatchHookRequest.PAYLOAD_FIELD_NUMBER)
    result = b""
    if payload is not None:
        number = pb.DispatchHookResponse.TransformResult.PAYLOAD_FIELD_NUMBER
        result = delimited(number, payload)
    return delimited(pb.DispatchHookResponse.TRANSFORM_FIELD_NUMBER, result)
