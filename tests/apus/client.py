"""A strict client of the real bridge process: what the host's plugin does, for tests."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

PROVIDER = "memory-inbox"


class Failed(Exception):
    """The bridge answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(json.dumps(error))
        self.code: int = error["code"]
        self.kind: str = error["data"]["kind"]
        self.message: str = error["message"]


class Gone(Exception):
    """The bridge ended before it answered."""


class Client:
    """One bridge process."""

    def __init__(self, store: Path, *more: str, greet: bool = True) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tui.main", "bridge", "--store", str(store), *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "MEMORY_INBOX_STORE": "/nowhere/at/all.db"},
        )
        self._number = 0
        self._waiting: dict[int | None, queue.Queue[dict[str, Any] | None]] = {None: queue.Queue()}
        self._lock = threading.Lock()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.greeting = self.call("initialize", protocol=1, providerId=PROVIDER) if greet else {}

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                break  # cut short by a kill: no answer
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0", line
            assert len(message) == 3, line
            self._waiting[message["id"]].put(message)
        with self._lock:
            self._ended = True
            for waiting in self._waiting.values():
                waiting.put(None)

    def send(self, method: str, **params: Any) -> int:
        """Send a request and return its id."""
        with self._lock:
            self._number += 1
            number = self._number
            self._waiting[number] = queue.Queue()
            if self._ended:
                raise Gone
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def write(self, message: Any) -> None:
        self.write_line(json.dumps(message).encode() + b"\n")

    def write_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except OSError as error:
            raise Gone from error

    def answer(self, number: int | None) -> Any:
        """Wait for the answer to a request; raises Failed or Gone."""
        message = self._waiting[number].get(timeout=60)
        if message is None:
            raise Gone
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def call(self, method: str, **params: Any) -> Any:
        return self.answer(self.send(method, **params))

    def cancel(self, number: int) -> None:
        self.write({"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": number}})

    def close(self) -> int:
        """Close stdin, as a host that ends; returns the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(30)
        self._reader.join(30)
        self._close()
        return code

    def end(self, number: int = signal.SIGKILL) -> int:
        self.process.send_signal(number)
        code = self.process.wait(30)
        self._reader.join(30)
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self._close()
        return code

    def _close(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.said = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()


def owner(agent: str = "main", session: str = "s-1", *, sandboxed: bool = False) -> dict[str, Any]:
    return caller(agent, {"kind": "owner-private", "agentId": agent}, session, sandboxed=sandboxed)


def talk(
    agent: str = "main", key: str = "chat:7", session: str = "c-1", *, sandboxed: bool = False
) -> dict[str, Any]:
    audience = {
        "kind": "conversation",
        "agentId": agent,
        "sessionKey": key,
        "sessionId": session,
    }
    return caller(agent, audience, session, sandboxed=sandboxed)


def caller(
    agent: str, audience: dict[str, Any] | None, session: str = "s-1", *, sandboxed: bool = False
) -> dict[str, Any]:
    authority: dict[str, Any] = {
        "kind": "session",
        "sessionKey": "agent:main:whatever",
        "sandboxed": sandboxed,
        "sessionId": session,
    }
    if audience is not None:
        authority["audience"] = audience
    return {"agentId": agent, "authority": authority}


def operator(agent: str = "main") -> dict[str, Any]:
    return {"agentId": agent, "authority": {"kind": "operator", "scopes": ["operator.read"]}}


def host(agent: str = "main") -> dict[str, Any]:
    return {"agentId": agent, "authority": {"kind": "host", "operation": "refresh"}}


def memory(title: str, content: str = "", **more: Any) -> dict[str, Any]:
    """Return arguments of memory_remember."""
    return {
        "type": "user",
        "scope": "global",
        "title": title,
        "content": content or f"About {title}.",
        **more,
    }
