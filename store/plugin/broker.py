"""go-plugin's broker, the plugin's side: where the host serves its numbered streams."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Attachment:
    """One StartStream of a host, with the addresses it has told. Equal to itself alone."""

    addresses: dict[int, str] = field(default_factory=dict)


class Broker:
    """The addresses that the attached host has told; a host that attaches again starts anew.

    An address may come after the first call that needs it: whoever needs one waits.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._current: Attachment | None = None

    def attach(self) -> Attachment:
        """A StartStream began; what an earlier one told no longer holds."""
        with self._changed:
            self._current = Attachment()
            self._changed.notify_all()
            return self._current

    def learn(self, attachment: Attachment, number: int, network: str, address: str) -> None:
        """The host told where it serves a stream; anything but a unix socket is ignored."""
        if network == "unix" and address:
            with self._changed:
                attachment.addresses[number] = address
                self._changed.notify_all()

    def detach(self, attachment: Attachment) -> bool:
        """A StartStream ended; True when that leaves no host attached."""
        with self._changed:
            if self._current is not attachment:
                return False
            self._current = None
            self._changed.notify_all()
            return True

    @property
    def current(self) -> Attachment | None:
        """The attachment of the host that is there now, None without one."""
        return self._current

    def known(self, number: int) -> tuple[Attachment, str] | None:
        """Return the attachment and address of a stream, None while it is not known."""
        with self._changed:
            return self._known(number)

    def wait_for(
        self, number: int, seconds: float, for_attachment: float = 0.3
    ) -> tuple[Attachment, str] | None:
        """Wait for the address of a stream; None when it does not come.

        Args:
            seconds: how long to wait with a host attached.
            for_attachment: how long to wait for one to attach at all. Hosts do so before their first
                call; a client that is no go-plugin host never does.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._current, min(seconds, for_attachment))
            if self._current is None:
                return None
            self._changed.wait_for(lambda: self._known(number) or self._current is None, seconds)
            return self._known(number)

    def _known(self, number: int) -> tuple[Attachment, str] | None:
        current = self._current
        if current is None or number not in current.addresses:
            return None
        return current, current.addresses[number]
