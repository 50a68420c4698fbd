"""Killing the bridge under load: no wrong answer, and nothing that it acknowledged is lost."""

from __future__ import annotations

import random
import threading
from contextlib import closing
from pathlib import Path

import pytest

from store.doctor import examine
from store.local import LocalDesk, open_desk
from store.location import resolve
from store.records import Audience, MemoryScope, MemoryType, NewRecord, Origin
from tests.apus.client import PROVIDER, Client, Failed, Gone, memory, owner

KILLS = 50
WRITERS, READERS = 3, 3


class Load:
    """Hosts that write and read until the bridge is gone, and what they were told."""

    def __init__(self, client: Client, run: int, known: dict[str, str]) -> None:
        self.acknowledged: dict[str, str] = {}
        self.sent: set[str] = set()
        self.wrong: list[str] = []
        self._client = client
        self._run = run
        self._known = known
        self._answered = {"write": threading.Semaphore(0), "read": threading.Semaphore(0)}
        self._threads = [
            threading.Thread(target=self._until_gone, args=(step, number))
            for step, many in (("write", WRITERS), ("read", READERS))
            for number in range(many)
        ]
        for thread in self._threads:
            thread.start()

    def wait_for(self, kind: str, answers: int) -> None:
        for _ in range(answers):
            assert self._answered[kind].acquire(timeout=60)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()

    def _until_gone(self, kind: str, number: int) -> None:
        step = self._write if kind == "write" else self._read
        count = 0
        while True:
            try:
                step(number, count)
            except Gone:
                return
            except Failed as error:
                self.wrong.append(error.message)
                return
            count += 1
            self._answered[kind].release()

    def _write(self, number: int, count: int) -> None:
        word = f"r{self._run}w{number}n{count}"
        text = f"text of {word} " * 20
        self.sent.add(text)
        tool = {"agentId": "main", "flushId": word}
        given = memory(f"Note {word}", text, create_new=True)
        answer = self._client.call("remember", caller=owner(), tool=tool, params=given)
        self.acknowledged[answer["details"]["id"]] = text
        if answer["details"]["outcome"] != "created":
            self.wrong.append(f"{word} was not new")

    def _read(self, number: int, count: int) -> None:
        id = sorted(self._known)[(number + count) % len(self._known)]
        reference = {"providerId": PROVIDER, "id": id}
        got = self._client.call("get", caller=owner(), reference=reference)
        if got.get("text") != self._known[id]:
            self.wrong.append(f"{id} read as {got}")
        hits = self._client.call("search", caller=owner(), query=f"known {id}")["hits"]
        if not hits or hits[0]["reference"]["id"] != id:
            self.wrong.append(f"{id} found as {hits}")


@pytest.mark.slow
def test_a_bridge_killed_under_load_loses_nothing_that_it_acknowledged(
    path: Path, desk: LocalDesk
) -> None:
    seeded = random.Random(20261201)
    known = {f"known-{word}": f"known text of {word}" for word in ("ant", "bee", "cat", "dog")}
    for id, text in known.items():
        new = NewRecord(MemoryType.USER, MemoryScope.GLOBAL, id, text, id=id)
        desk.write(new, Origin("test", audience=Audience("main")))
    acknowledged: dict[str, str] = {}
    sent: set[str] = set()
    for run in range(KILLS):
        client = Client(path)
        load = Load(client, run, known)
        load.wait_for("write", seeded.randrange(0, 8))
        load.wait_for("read", seeded.randrange(0, 4))
        client.end()
        load.join()
        assert load.wrong == []
        acknowledged |= load.acknowledged
        sent |= load.sent
    with closing(open_desk(str(path))) as fresh:
        for id, text in acknowledged.items():
            assert fresh.get_record(id).content == text
        token, texts = "", []
        while True:
            page = fresh.list_records(page_size=500, page_token=token)
            texts += [record.content for record in page.records if record.pending]
            if not (token := page.next_page_token):
                break
    # What is there was asked for, whole, and once.
    assert set(texts) <= sent
    assert len(texts) == len(set(texts))
    assert len(acknowledged) >= KILLS
    assert examine(resolve(str(path))) == []


def test_what_was_written_before_a_kill_is_not_written_again_by_a_retry(
    path: Path, desk: LocalDesk
) -> None:
    asked = {"caller": owner(), "tool": {"flushId": "f"}, "params": memory("Tea", "Green")}
    first = Client(path)
    made = first.call("remember", **asked)["details"]
    first.end()
    second = Client(path)
    again = second.call("remember", **asked)["details"]
    assert (again["outcome"], again["id"]) == ("unchanged", made["id"])
    assert second.close() == 0
    assert desk.count().total == 1
