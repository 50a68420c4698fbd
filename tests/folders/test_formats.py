"""Each format is read as its agent writes it, and an edit changes that edit's bytes only."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from store.folders import (
    basic_memory,
    claude,
    cline,
    gemini,
    hermes,
    mcp,
    mem0,
    openclaw,
    serena,
    vault,
)
from store.folders.entry import Entry, Flag, Item, Reading
from store.folders.formats import FORMATS
from store.records import MemoryScope, MemoryType

CASES = Path(__file__).parents[1] / "cases" / "import"


def one(reading: Reading) -> Entry:
    (entry,) = reading.entries
    return entry


def item(entry: Entry, **changes: object) -> Item:
    """Return the record that an entry became, changed by its operator."""
    made = Item(
        "an-id", entry.title, entry.content, MemoryType.PROJECT, MemoryScope.GLOBAL, entry.summary
    )
    return replace(made, **changes)  # type: ignore[arg-type]


class TestClaude:
    def test_the_example_folder(self) -> None:
        read = {
            path.name: claude.read(path.read_bytes(), path.name)
            for path in (CASES / "claude-basic").iterdir()
        }
        assert read["MEMORY.md"].why == "an index, not a memory"
        user = one(read["user_role.md"])
        assert (user.title, user.type) == ("user-role", MemoryType.USER)
        assert user.source_session_id == "5d2f0b3a-0000-4000-8000-000000000001"
        assert user.aliases == ("user_role", "role")
        assert user.content == "Reviews infrastructure changes. See [[feedback_tdd]].\n"
        assert one(read["unindexed.md"]).type is MemoryType.PROJECT

    def test_times_and_the_flat_spelling_of_metadata(self) -> None:
        entry = one(
            claude.read(
                b"---\nname: x\ntype: feedback\noriginSessionId: s\nmodified: 2026-08-14T10:00:00Z\n---\nB\n",
                "x.md",
            )
        )
        assert entry.source_session_id == "s"
        assert entry.updated_at is not None
        assert entry.updated_at.isoformat() == "2026-08-14T10:00:00+00:00"

    @pytest.mark.parametrize("name", ["README.md", "CLAUDE.md"])
    def test_what_sits_beside_the_memories_is_no_memory(self, name: str) -> None:
        assert not claude.read(b"# How to use\n", name).entries

    def test_a_memory_that_is_all_frontmatter_is_taken_by_its_description(self) -> None:
        data = b"---\nname: x\ndescription: all there is\ntype: user\n---\n"
        entry = one(claude.read(data, "x.md"))
        assert entry.content == "all there is"
        assert [note.flag for note in entry.notes] == [Flag.LENIENT]
        assert claude.update(data, "x.md", {"": item(entry)}) == data

    def test_an_edit_keeps_keys_order_comments_and_line_ends(self) -> None:
        data = (
            b"\xef\xbb\xbf---\r\n# who\r\nzeta: 1\r\nname: old name\r\ndescription: d: e\r\n"
            b"metadata: \r\n  type: user\r\n---\r\n\r\nOne.\r\nTwo.\r\n"
        )
        entry = one(claude.read(data, "x.md"))
        edited = claude.update(
            data, "x.md", {"": item(entry, content="One.\n2.\n", title="new: name")}
        )
        assert edited == data.replace(b"old name", b'"new: name"').replace(b"Two.", b"2.")

    def test_what_is_created_reads_back_whole(self) -> None:
        made = Item(
            "an-id-2", "A title\nwith: two lines", "Body\n\n---\n\n§\nrest", MemoryType.FEEDBACK,
            MemoryScope.GLOBAL, "what: it # is", "session-1",
        )  # fmt: skip
        entry = one(claude.read(claude.create(made), "an-id-2.md"))
        assert (entry.title, entry.content, entry.summary) == (
            made.title,
            made.content,
            made.summary,
        )
        assert (entry.type, entry.scope, entry.id) == (made.type, made.scope, made.id)
        assert entry.source_session_id == "session-1"


class TestVault:
    def test_every_name_of_a_note_is_kept(self) -> None:
        data = b"---\ntitle: The Plan\npermalink: notes/the-plan\naliases:\n- Roadmap\n- P2\n---\nText\n"
        entry = one(vault.read(data, "notes/Plan.md"))
        assert entry.title == "The Plan"
        assert entry.aliases == ("Plan", "notes/Plan", "notes/the-plan", "Roadmap", "P2")

    def test_tags_stand_in_for_a_description(self) -> None:
        assert (
            one(vault.read(b"---\ntags:\n- #work\n- home\n---\nx\n", "a.md")).summary
            == "#work #home"
        )

    @pytest.mark.parametrize("kind", ["note", "MOC", "person", "meeting", "2026-08-14"])
    def test_one_of_the_forty_other_types_is_no_type(self, kind: str) -> None:
        assert one(vault.read(f"---\ntype: {kind}\n---\nx\n".encode(), "a.md")).type is None

    def test_a_name_with_bars_and_dots_is_the_whole_stem(self) -> None:
        assert one(vault.read(b"x", "notes/B | C33 | C39.md")).title == "B | C33 | C39"
        assert one(vault.read(b"x", "v1.2 notes.md")).title == "v1.2 notes"


class TestBasicMemory:
    BODY = (
        "# Coffee\n\n- [method] Pour over is clear #brew #light (home)\n- [ ] buy beans\n- [x] done\n"
        "- relates_to [[Beans]]\n- part of [[Kitchen Notes]] (since May)\n"
        "- I asked about the grinder and [[Ann]] said yes.\n```\n- [code] no\n- no [[Code]]\n```\n"
    )

    def test_observations_and_relations_are_told_from_tasks_and_sentences(self) -> None:
        observations, relations = basic_memory.grammar(self.BODY)
        assert [(one.category, one.tags) for one in observations] == [("method", ("brew", "light"))]
        assert [(one.type, one.target) for one in relations] == [
            ("relates_to", "Beans"),
            ("part of", "Kitchen Notes"),
        ]

    def test_the_first_observation_sums_a_note_up(self) -> None:
        data = f"---\ntitle: Coffee\ntype: note\npermalink: main/coffee\n---\n{self.BODY}".encode()
        entry = one(basic_memory.read(data, "Coffee Notes.md"))
        assert entry.summary == "Pour over is clear #brew #light (home)"
        assert entry.aliases == ("Coffee Notes", "main/coffee")


class TestOpenClaw:
    LOG = (
        "# 2026-08-14\n\nWoke up late.\n\n## Deploy\n\nShipped it.\n```\n## not a heading\n```\n\n"
        "## Deploy\n\nRolled back. [[reply_to_current]]\n\n## Empty\n"
    )

    def test_a_log_is_one_entry_a_section_with_its_day(self) -> None:
        entries = openclaw.read(self.LOG.encode(), "memory/2026-08-14.md").entries
        assert [entry.title for entry in entries] == [
            "2026-08-14",
            "2026-08-14 Deploy",
            "2026-08-14 Deploy",
        ]
        assert [entry.part for entry in entries] == ["2026-08-14", "Deploy", "Deploy#2"]
        assert "## not a heading" in entries[1].content
        assert all(entry.created_at and entry.created_at.year == 2026 for entry in entries)

    def test_sections_are_cut_where_headings_repeat(self) -> None:
        entries = openclaw.read(b"# Title\nintro\n### A\na\n### B\nb\n", "MEMORY.md").entries
        assert [entry.title for entry in entries] == ["Title", "A", "B"]

    def test_a_log_without_headings_is_one_entry(self) -> None:
        entry = one(openclaw.read(b"- did this\n- did that\n", "memory/2026-08-14.md"))
        assert entry.title == "2026-08-14"
        assert entry.content == "- did this\n- did that\n"


class TestGemini:
    DATA = (
        b"# My rules\n\n- be brief\n\n## Gemini Added Memories\n- Likes tabs.\n- A long fact\n\n"
        b"that goes on unindented.\n  - and a sub-bullet\n- Third\n\n## Mine again\n- not a memory\n"
    )

    def test_only_its_own_section_is_read_and_facts_span_blank_lines(self) -> None:
        entries = gemini.read(self.DATA, "GEMINI.md").entries
        assert [entry.content for entry in entries] == [
            "Likes tabs.",
            "A long fact\n\nthat goes on unindented.\n  - and a sub-bullet",
            "Third",
        ]
        assert {entry.type for entry in entries} == {MemoryType.USER}

    def test_an_edit_touches_one_bullet(self) -> None:
        entry = gemini.read(self.DATA, "GEMINI.md").entries[0]
        new = item(entry, content="Likes spaces.\n- two of them")
        edited = gemini.update(self.DATA, "GEMINI.md", {entry.part: new})
        assert edited == self.DATA.replace(b"- Likes tabs.", b"- Likes spaces.\n  - two of them")
        assert gemini.read(edited, "GEMINI.md").entries[0].content == "Likes spaces.\n- two of them"

    def test_instructions_without_the_section_hold_no_memory(self) -> None:
        assert (
            gemini.read(b"# Rules\n- x\n", "GEMINI.md").why == "instructions without added memories"
        )


class TestHermes:
    DATA = "One fact.\n§\nTwo\nlines with § inside\n§\n\n§\nThird § end".encode()

    def test_entries_are_parted_by_lines_of_the_mark_alone(self) -> None:
        entries = hermes.read(self.DATA, "USER.md").entries
        assert [entry.content for entry in entries] == [
            "One fact.",
            "Two\nlines with § inside",
            "Third § end",
        ]
        assert {entry.type for entry in entries} == {MemoryType.USER}
        assert hermes.read(self.DATA, "MEMORY.md").entries[0].type is None

    def test_a_text_with_delimiter_lines_stays_one_entry(self) -> None:
        entry = hermes.read(self.DATA, "MEMORY.md").entries[1]
        new = item(entry, content="before\n§\nafter\n\\§\nend")
        edited = hermes.update(self.DATA, "MEMORY.md", {entry.part: new})
        contents = [each.content for each in hermes.read(edited, "MEMORY.md").entries]
        assert contents == ["One fact.", "before\n§\nafter\n\\§\nend", "Third § end"]

    def test_the_pending_queue_becomes_drafts(self) -> None:
        staged = {
            "id": "ab12", "subsystem": "memory", "summary": "s", "created_at": 1786702800.5,
            "payload": {"action": "replace", "target": "user", "old_text": "tabs", "content": "Likes spaces"},
        }  # fmt: skip
        entry = one(hermes.read(json.dumps(staged).encode(), "pending/memory/ab12.json"))
        assert (entry.content, entry.type) == ("Likes spaces", MemoryType.USER)
        assert entry.summary == "would replace: tabs"
        assert entry.created_at is not None

    def test_a_staged_removal_and_a_batch(self) -> None:
        removal = {"subsystem": "memory", "payload": {"action": "remove", "old_text": "x"}}
        assert "removes" in hermes.read(json.dumps(removal).encode(), "a.json").why
        batch = {
            "payload": {"target": "memory", "operations": [{"content": "a"}, {"content": "b"}]}
        }
        assert len(hermes.read(json.dumps(batch).encode(), "a.json").entries) == 2


class TestClineAndSerena:
    def test_a_memory_bank_file_says_what_it_is_for(self) -> None:
        entry = one(cline.read(b"# Project Brief\n\nBuild it.\n", "projectbrief.md"))
        assert (entry.title, entry.type) == ("projectbrief", MemoryType.PROJECT)
        assert entry.summary == "What the project is and has to do"
        assert entry.aliases == ("Project Brief",)

    def test_a_topic_is_part_of_a_serena_name(self) -> None:
        entry = one(serena.read(b"Use the broker.\n", ".serena/memories/auth/login.md"))
        assert entry.title == "auth/login"
        assert "login" in entry.aliases


class TestMcp:
    def test_the_example_file(self) -> None:
        reading = mcp.read((CASES / "jsonl" / "memory.jsonl").read_bytes(), "memory.jsonl")
        entries = {entry.title: entry for entry in reading.entries}
        assert list(entries) == ["a", "b", "no-type"]
        assert entries["a"].content == "- one\n- part_of [[b]]\n"
        assert entries["b"].content == "- uses [[missing]]\n"
        assert "a relation to a missing entity: uses missing" in [
            note.what for note in entries["b"].notes
        ]
        assert [(cut.line, cut.verbatim) for cut in reading.refused] == [
            (2, '{"type":"entity","name":"cut","entity')
        ]

    DIALECTS = (
        b'{"type":"entity","name":"a","entityType":"t","observations":["x"]}\n'
        b'{"type":"relation","from":"a","to":"a","relationType":"is"}',
        b'{"name":"a","entityType":"t","observations":["x"],"type":"entity"}\n'
        b'{"from_entity":"a","to_entity":"a","relationType":"is","type":"relation"}\n',
        b'{"name":"a","entityType":"t","observations":["x"]}\n{"from":"a","to":"a","relationType":"is"}',
        b'{\n  "entities": [\n    {"name": "a", "entityType": "t", "observations": ["x"]}\n  ],\n'
        b'  "relations": [{"from": "a", "to": "a", "relationType": "is"}]\n}\n',
    )

    @pytest.mark.parametrize("data", DIALECTS)
    def test_each_dialect_says_the_same(self, data: bytes) -> None:
        entry = one(mcp.read(data, "memory.jsonl"))
        assert (entry.title, entry.summary, entry.content) == ("a", "t", "- x\n- is [[a]]\n")

    @pytest.mark.parametrize("data", DIALECTS)
    def test_an_edit_keeps_the_dialect_and_what_it_did_not_touch(self, data: bytes) -> None:
        entry = one(mcp.read(data, "memory.jsonl"))
        new = item(entry, content="- x\n- y\n- is [[a]]\n- knows [[b]]\n")
        edited = mcp.update(data, "memory.jsonl", {entry.part: new})
        assert b'"y"' in edited
        assert b'"from_entity":"a"' in edited or b'"from_entity"' not in data
        again = one(mcp.read(edited, "memory.jsonl"))
        assert again.content == new.content

    @pytest.mark.parametrize("data", DIALECTS)
    def test_dropping_a_relation_leaves_valid_json(self, data: bytes) -> None:
        entry = one(mcp.read(data, "memory.jsonl"))
        edited = mcp.update(data, "memory.jsonl", {entry.part: item(entry, content="- x\n")})
        reading = mcp.read(edited, "memory.jsonl")
        assert not reading.refused
        assert one(reading).content == "- x\n"

    @pytest.mark.parametrize("keep", [[], [0], [1], [2], [0, 2], [1, 2], [0, 1, 2]])
    def test_dropping_any_of_several_relations_leaves_valid_json(self, keep: list[int]) -> None:
        related = [{"from": "a", "to": f"x{n}", "relationType": "is"} for n in range(3)]
        entity = {"name": "a", "entityType": "t", "observations": ["x"]}
        for data in (
            json.dumps({"entities": [entity], "relations": related}, indent=1),
            json.dumps({"relations": related, "entities": [entity]}),
            "\n".join(json.dumps(each) for each in [related[0], entity, *related[1:]]),
        ):
            entry = one(mcp.read(data.encode(), "m.json"))
            content = "- x\n" + "".join(f"- is [[x{n}]]\n" for n in keep)
            edited = mcp.update(data.encode(), "m.json", {"a": item(entry, content=content)})
            again = mcp.read(edited, "m.json")
            assert not again.refused
            assert one(again).content == content

    def test_a_relation_from_a_missing_entity_is_not_lost(self) -> None:
        entry = one(
            mcp.read(
                b'{"type":"relation","from":"ghost","to":"x","relationType":"haunts"}', "m.jsonl"
            )
        )
        assert (entry.title, entry.content) == ("ghost", "- haunts [[x]]\n")
        assert Flag.LENIENT in {note.flag for note in entry.notes}

    def test_lines_that_are_no_part_of_a_graph_are_kept_verbatim(self) -> None:
        reading = mcp.read(b'{"name":"a","observations":[]}\n[1, 2]\nplain text\n', "m.jsonl")
        assert [(cut.line, cut.verbatim) for cut in reading.refused] == [
            (2, "[1, 2]"),
            (3, "plain text"),
        ]

    def test_what_is_created_reads_back(self) -> None:
        made = Item("x-2", "X", "- one\n- uses [[Y]]\n", MemoryType.USER, MemoryScope.GLOBAL, "sum")
        prose = Item(
            "p", "P\nq", "A paragraph.\n\n---\n\n§ two", MemoryType.PROJECT, MemoryScope.GLOBAL
        )
        entries = mcp.read(mcp.create([made, prose]), "memory.jsonl").entries
        first = entries[0]
        assert (first.id, first.title, first.type, first.summary) == ("x-2", "X", made.type, "sum")
        assert entries[0].content == made.content


class TestMem0:
    ITEM: ClassVar = {
        "id": "9f",
        "memory": "Likes tabs",
        "user_id": "u",
        "metadata": None,
        "categories": ["style"],
    }

    @pytest.mark.parametrize(
        "whole",
        [
            [ITEM],
            {"results": [ITEM]},
            {"count": 1, "next": None, "previous": None, "results": [ITEM]},
            {"user": {}, "memories": [{"id": "9f", "content": "Likes tabs", "state": "active"}]},
        ],
    )
    def test_each_wrapping_says_the_same(self, whole: object) -> None:
        entry = one(mem0.read(json.dumps(whole).encode(), "memories.json"))
        assert (entry.part, entry.content, entry.title) == ("9f", "Likes tabs", "Likes tabs")

    def test_deleted_memories_stay_out_and_foreign_items_are_refused(self) -> None:
        data = json.dumps(
            [self.ITEM, {"memory": "old", "state": "deleted"}, {"memory": 3}]
        ).encode()
        reading = mem0.read(data, "m.json")
        assert len(reading.entries) == 1
        assert [cut.verbatim for cut in reading.refused] == ['{"memory": 3}']

    def test_an_edit_keeps_every_other_byte(self) -> None:
        data = json.dumps(
            {"results": [self.ITEM, {"id": "b", "memory": "Caf\u00e9"}]}, indent=3
        ).encode()
        first, second = mem0.read(data, "m.json").entries
        edited = mem0.update(data, "m.json", {second.part: item(second, content="Th\u00e9")})
        assert edited == data.replace(b"Caf\\u00e9", b"Th\\u00e9")
        assert mem0.read(edited, "m.json").entries[0] == first

    def test_a_cut_file_cannot_be_read_and_says_so(self) -> None:
        reading = mem0.read(b'[{"memory": "x"}, {"mem', "m.json")
        assert (reading.entries, reading.proper) == ((), False)

    def test_what_is_created_reads_back(self) -> None:
        made = Item("x-2", "X: y", "Body\n", MemoryType.USER, MemoryScope.GLOBAL, "sum", "s1")
        entry = one(mem0.read(mem0.create([made]), "m.json"))
        assert (entry.id, entry.title, entry.content, entry.type, entry.scope, entry.summary) == (
            "x-2", "X: y", "Body\n", MemoryType.USER, MemoryScope.GLOBAL, "sum",
        )  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "data", [b"", b"\n \n", b"\xef\xbb\xbf", b"\0\0", b"\xff\xfe", b"{", b"---\n---\n"]
)
def test_no_format_trips_over_nothing(name: str, data: bytes) -> None:
    reading = FORMATS[name].read(data, "x.md")
    assert reading.entries or reading.why
