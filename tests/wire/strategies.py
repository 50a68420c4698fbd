"""Hypothesis strategies for values that go over the wire."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from render.tree import (
    Action,
    CodeBlock,
    Collapsible,
    Diff,
    DiffHunk,
    DiffLine,
    DiffOp,
    Group,
    Link,
    List,
    Node,
    SubSession,
    Table,
    Text,
    TextStyle,
)
from store.records import (
    Capabilities,
    ConfigAttribute,
    MemoryScope,
    MemoryType,
    MutationEvent,
    NewRecord,
    Producer,
    PromptExpansion,
    Provenance,
    RecallRequest,
    Record,
    RecordResult,
    RecordStatus,
)

texts = st.text(max_size=40)
int32 = st.integers(-(2**31), 2**31 - 1)
int64 = st.integers(-(2**63), 2**63 - 1)
times = st.datetimes(timezones=st.just(UTC), min_value=datetime(1, 1, 1))
types = st.sampled_from(MemoryType)
scopes = st.sampled_from(MemoryScope)
statuses = st.sampled_from(RecordStatus)
some_types = st.lists(types, max_size=4).map(tuple)
some_scopes = st.lists(scopes, max_size=3).map(tuple)

records = st.builds(
    Record,
    id=texts,
    type=types,
    scope=scopes,
    title=texts,
    content=texts,
    tokens=int64,
    status=statuses,
    links=st.lists(texts, max_size=4).map(tuple),
    created_at=times,
    updated_at=times,
    provenance=st.builds(Provenance, texts, st.none() | texts, texts),
    relevance_score=st.none() | st.floats(0, 1),
    # What the wire has no field for stays at its default.
    summary=st.just(""),
    revision=st.just(""),
    is_revision=st.just(False),
    session_id=st.just(""),
    project_root=st.just(""),
)
new_records = st.builds(
    NewRecord, types, scopes, texts, texts, st.none() | texts.filter(bool), summary=st.just("")
)
results = st.builds(RecordResult, texts, statuses)
recall_requests = st.builds(
    RecallRequest,
    token_budget=int64,
    session_id=texts,
    turn_id=texts,
    model=texts,
    files_touched=st.lists(texts, max_size=3).map(tuple),
    working_directory=texts,
    types=some_types,
    scopes=some_scopes,
    include_pending=st.booleans(),
    query=st.just(""),
)
events = st.builds(MutationEvent, texts, texts, st.dictionaries(texts, texts, max_size=3))
producers = st.builds(
    Producer,
    texts,
    texts,
    texts,
    st.sampled_from(["model", "tool", "context", "memory", "frontend", "widget", "slashcommand"]),
    st.integers(0, 2**32 - 1),
)
attributes = st.builds(
    ConfigAttribute,
    name=texts,
    type=st.sampled_from(["string", "number", "bool"]),
    description=texts,
    sensitive=st.booleans(),
    required=st.booleans(),
    default=st.none() | st.booleans() | int64 | texts,
)
capabilities = st.builds(
    Capabilities,
    default_token_budget=int64,
    types=some_types,
    scopes=some_scopes,
    ratification_supported=st.booleans(),
    slash_commands=st.lists(st.builds(PromptExpansion, texts, texts, texts), max_size=2).map(tuple),
    config_schema=st.lists(attributes, max_size=3).map(tuple),
    hook_points=st.lists(st.sampled_from(["post_model_response", "session_end"])).map(tuple),
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False).filter(lambda number: not number.is_integer())
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(texts, json_values, max_size=4)

_leaves: st.SearchStrategy[Node] = st.one_of(
    st.builds(Text, texts, st.sampled_from(TextStyle)),
    st.builds(CodeBlock, texts, st.none() | texts),
    st.builds(Link, texts, texts),
    st.builds(SubSession, texts, texts),
    st.builds(Action, texts, texts, texts, json_objects, texts),
    st.builds(
        Table,
        st.lists(texts, max_size=3).map(tuple),
        st.lists(st.lists(texts, max_size=3).map(tuple), max_size=3).map(tuple),
    ),
    st.builds(
        Diff,
        st.lists(
            st.builds(
                DiffHunk,
                int32,
                int32,
                int32,
                int32,
                st.lists(st.builds(DiffLine, st.sampled_from(DiffOp), texts), max_size=3).map(
                    tuple
                ),
            ),
            max_size=2,
        ).map(tuple),
    ),
)


def _branches(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    children = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(List, children, st.booleans()),
        st.builds(Group, children),
        st.builds(Collapsible, texts, children, st.booleans()),
    )


trees = st.recursive(_leaves, _branches, max_leaves=12)
