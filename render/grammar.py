"""The one Markdown grammar of the project: CommonMark and tables, bent so that nothing an agent wrote hides.

Differences from CommonMark, each because a reviewer must see what is there:

* HTML is text. Comments are tokens of their own (``comment``, ``comment_block``), never dropped.
* Entities stay as written, and so do link reference definitions; ``[text][ref]`` is text.
* Blocks nested deeper than `DEPTH` become one ``too_deep`` token with their source, where the parser
  would skip them.
* ``[[links]]`` are tokens (``wikilink``) whose ``meta`` holds their offset in the inline content.
"""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit, getLine, table
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

DEPTH = 24
"""Levels of nesting that are parsed: a quote is one, a list two."""

WIKILINK = re.compile(r"\[\[([^\[\]\n\r]+)\]\]")
_MANY_BRACKETS = 2_000  # in one paragraph: more than prose has, and each costs a look for a link
_NO_CLOSE = -1  # no position: keeps "no --> from here on" in the inline state's own cache


@cache
def grammar() -> MarkdownIt:
    """Return the parser, shared by threads: parsing keeps its state in the call, not in the parser."""
    md = MarkdownIt("commonmark", {"maxNesting": DEPTH + 8, "html": False})
    md.enable(["table", "strikethrough"])
    md.disable(["reference", "entity", "html_block", "html_inline"])
    md.block.ruler.at("table", _table, {"alt": ["paragraph"]})
    md.block.ruler.before("table", "too_deep", _too_deep)
    md.block.ruler.before(
        "heading", "comment_block", _comment_block, {"alt": ["paragraph", "blockquote"]}
    )
    md.inline.ruler.before("link", "wikilink", _wikilink)
    md.inline.ruler.before("autolink", "comment", _comment)
    # A target is shown, and asked about, as it was written.
    md.normalizeLink = md.normalizeLinkText = lambda url: url  # type: ignore[method-assign, assignment]
    return _compiled(md)


@cache
def _bracket_grammar() -> MarkdownIt:
    """Return the parser of content that is mostly brackets: each would be tried as a link's start."""
    light = MarkdownIt("zero", {"maxNesting": DEPTH + 8})
    light.enable(["newline", "escape", "backticks"])
    light.inline.ruler.push("wikilink", _wikilink)
    light.inline.ruler.push("comment", _comment)
    return _compiled(light)


def _compiled(md: MarkdownIt) -> MarkdownIt:
    """Have the rules put in order now: at first use, two threads could see half of them."""
    for ruler in (md.block.ruler, md.inline.ruler, md.inline.ruler2):
        ruler.getRules("")
    return md


def blocks(text: str) -> list[Token]:
    """Return the block tokens of a text, inline content not yet parsed; CRLF counts as one line end."""
    md = grammar()
    tokens: list[Token] = []
    source = text.replace("\r\n", "\n")
    kept = _TRIMMED.search(source) and not _STAND_INS.search(source)
    md.block.parse(source.translate(_TO_STAND_IN) if kept else source, md, {}, tokens)
    if kept:
        for token in tokens:
            token.content = token.content.translate(_FROM_STAND_IN)
    return tokens


def inlines(token: Token) -> list[Token]:
    """Return the inline tokens of a block's ``inline`` token, parsed at the first call."""
    if not token.children and token.content:
        md = grammar() if token.content.count("[") <= _MANY_BRACKETS else _bracket_grammar()
        token.children = md.inline.parse(token.content, md, {}, [])
    return token.children or []


# The parser trims these from the ends of a block; as noncharacters they stay, for a reviewer to see.
_TRIMMED = re.compile("[\r\v\f\u2028\u2029]")
_STAND_INS = re.compile("[\ufdd0-\ufdd4]")
_TO_STAND_IN = str.maketrans("\r\v\f\u2028\u2029", "\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4")
_FROM_STAND_IN = str.maketrans("\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4", "\r\v\f\u2028\u2029")


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent or state.level < DEPTH:
        return False
    line = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    token = state.push("too_deep", "", 0)
    token.content = state.getLines(start, line, state.blkIndent, False)
    token.map = [start, line]
    state.line = line
    return True


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a table, and also the cells of a row beyond the header's, which GFM leaves out."""
    first = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    written = state.tokens[first:]
    columns = sum(token.type == "th_open" for token in written)
    del state.tokens[first:]
    line = start
    for token in written:
        if token.type == "tr_close":
            for cell in _cells(state, line)[columns:]:
                _push_inline(state, "td", cell, line)
        elif token.type == "tr_open" and token.map:
            line = token.map[0]
        state.tokens.append(token)
    return True


def _cells(state: StateBlock, line: int) -> list[str]:
    cells = escapedSplit(getLine(state, line).strip())
    return [cell.strip() for cell in cells[cells[0] == "" : len(cells) - (cells[-1] == "")]]


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a comment that opens a line, to its ``-->`` or, as CommonMark has it, to the end."""
    first = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith("<!--", first):
        return False
    if silent:
        return True
    line, seek = start, first + 2  # <!--> is a comment too
    while (close := state.src.find("-->", seek, state.eMarks[line])) < 0:
        line += 1
        if line >= end or (state.sCount[line] < state.blkIndent and not state.isEmpty(line)):
            break
        seek = state.bMarks[line]
    line = min(line + 1, end) if close >= 0 else line
    content = state.getLines(start, line, state.blkIndent, False)
    rest = state.src[close + 3 : state.eMarks[line - 1]] if close >= 0 else ""
    token = state.push("comment_block", "", 0)
    token.content = content[: len(content) - len(rest)]
    token.map = [start, line]
    state.line = line
    if rest.strip():
        _push_inline(state, "paragraph", rest.strip(), line - 1)
    return True


def _push_inline(state: StateBlock, block: str, content: str, line: int) -> None:
    state.push(f"{block}_open", "", 1).map = [line, line + 1]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = content, [line, line + 1], []
    state.push(f"{block}_close", "", -1)


def _comment(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("<!--", state.pos) or _NO_CLOSE in state.cache:
        return False
    close = state.src.find("-->", state.pos + 2, state.posMax)
    if close < 0:
        if state.posMax == len(state.src):
            state.cache[_NO_CLOSE] = state.pos
        return False
    if not silent:
        state.push("comment", "", 0).content = state.src[state.pos : close + 3]
    state.pos = close + 3
    return True


def _wikilink(state: StateInline, silent: bool) -> bool:
    embed = state.src.startswith("![[", state.pos)
    start = state.pos + embed
    found = WIKILINK.match(state.src, start, state.posMax)
    if found is None or not is_link(found[1]) or not _closes(state, start, found):
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = state.src[state.pos : found.end()]
        token.meta = {"offset": start, "embed": embed}
    state.pos = found.end()
    return True


def is_link(inner: str) -> bool:
    """Tell whether the text between double brackets names a target."""
    target = inner.partition("|")[0].partition("#")[0].strip().removesuffix("\\").strip()
    return bool(target) and not _CONTROL_TAG.fullmatch(target)


# What OpenClaw-like agents write to steer their reply; it names no note.
_CONTROL_TAG = re.compile(r"reply_to_current|reply_to:.*")


def _closes(state: StateInline, start: int, found: re.Match[str]) -> bool:
    """Tell whether the closing brackets are brackets, not part of code, a comment or an escape."""
    if not any(mark in found[1] for mark in "`<\\"):
        return True
    here, state.pos = state.pos, start + 2
    while state.pos < found.end() - 2:
        state.md.inline.skipToken(state)
    closed = state.pos == found.end() - 2
    state.pos = here
    return closed
