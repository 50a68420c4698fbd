"""The full-text index on PostgreSQL: lexemes made here, found by a GIN index over a `tsvector`.

`search_index` has a row for each row of `search_text`, written with it (`keep`): no trigger, function,
extension or text search configuration of the server is involved, so that any engine with the type and its
index will do. Words are stemmed here, by SQLite's tokenizer (`store.lexicon`): both engines find the same.

    words   each distinct stem with one position, whose label tells how often it occurs: A in the title or
            a name, else B four times or more, C two or three times, D once
    text    all stems in order: where words must follow each other, a comparison of text says whether they do
    length  how many words there are

`search_total` is one row with the sums, kept in the same statements. Only conjunctions and prefixes are asked
of the index (several alternatives are several conditions), which is all that every such index offers.

Source of the types and limits: https://www.postgresql.org/docs/15/textsearch-limitations.html.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import text

from store.index import BODY_WEIGHT, TITLE_WEIGHT, Totals, Weighed, Within
from store.lexicon import stems_of
from store.prepared import Prepared
from store.rescoring import K1, B, Rescorer
from store.segment import GAP, Phrase, Term

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from store.reader import Reader

_LEXEME = 500  # characters; a lexeme holds less than 2 KB
_ROOM = (
    1_000_000  # bytes of all lexemes of an entry and their places; a tsvector holds less than 1 MB
)
_PLACE = 5  # bytes of a place, alignment included
_WINDOW = 5  # times the sample: the newest entries that are looked through for frequencies
_SEEN = 10  # times that a phrase occurs among those, from which its frequency is estimated
_TOGETHER = 100  # phrases counted by one query
_RESCORED = 300  # best by labels, which are scored exactly
_OFTEN, _TWICE = 4, 2
# What a label counts for, in the unit of a word of the body.
_WORTH = {"A": TITLE_WEIGHT + BODY_WEIGHT, "B": 5 * BODY_WEIGHT, "C": 2.5 * BODY_WEIGHT}

Clause = tuple[str, list[Any]]  # SQL with a ``?`` for each of the values


_KEEP = Prepared(
    text("""
        WITH before AS (SELECT length FROM search_index WHERE pk = :pk),
        kept AS (
            INSERT INTO search_index (pk, words, text, length)
            VALUES (:pk, CAST(:words AS tsvector), :text, :length)
            ON CONFLICT (pk) DO UPDATE
            SET words = excluded.words, text = excluded.text, length = excluded.length
        )
        UPDATE search_total SET
            entries = entries + 1 - (SELECT count(*) FROM before),
            words = words + CAST(:length AS integer) - (SELECT coalesce(sum(length), 0) FROM before)
    """)
)
_DROP = Prepared(
    text("""
        WITH gone AS (DELETE FROM search_index WHERE pk = :of RETURNING length)
        UPDATE search_total SET
            entries = entries - (SELECT count(*) FROM gone),
            words = words - (SELECT coalesce(sum(length), 0) FROM gone)
    """)
)


_TEXTS = text("SELECT pk, title, body FROM search_text WHERE pk > :after ORDER BY pk LIMIT 500")
_ALIKE = text("""
    SELECT count(*) FROM search_index AS kept
    JOIN unnest(
        CAST(:pks AS bigint[]), CAST(:words AS text[]), CAST(:text AS text[]), CAST(:length AS integer[])
    ) AS made (pk, words, text, length) ON kept.pk = made.pk
    WHERE kept.words = CAST(made.words AS tsvector)
    AND kept.text = made.text AND kept.length = made.length
""")


class Expression(NamedTuple):
    """What is sought: every term, or any of some phrases that are weighed."""

    every: tuple[Term, ...] = ()
    any: tuple[Weighed, ...] = ()


def all_of(terms: Iterable[Term]) -> Expression:
    """Return the expression that every term occurs."""
    return Expression(every=tuple(terms))


def any_of(weighed: Iterable[Weighed]) -> Expression:
    """Return the expression that at least one phrase occurs."""
    return Expression(any=tuple(weighed))


def totals(read: Reader) -> Totals:
    """Return how much is indexed, without counting."""
    rows = read.all("SELECT entries, words FROM search_total")
    return Totals(*map(int, rows[0])) if rows else Totals(0, 0)


def frequencies(
    read: Reader, phrases: Sequence[Phrase], totals: Totals, sample: int
) -> list[float]:
    """See `Index.frequencies`: of common phrases from the newest entries, of others by the index."""
    window = sample * _WINDOW
    found: list[float] = []
    for start in range(0, len(phrases), _TOGETHER):
        some = [_phrase(phrase) for phrase in phrases[start : start + _TOGETHER]]
        sums = ", ".join(f"count(*) FILTER (WHERE {sql})" for sql, _ in some)
        newest = "SELECT words, text FROM search_index ORDER BY pk DESC LIMIT ?"
        values = [value for _, each in some for value in each]
        (counts,) = read.all(f"SELECT {sums} FROM ({newest}) AS newest", *values, window)  # noqa: S608
        for count, (sql, each) in zip(counts, some, strict=True):
            if totals.entries <= window:
                found.append(float(count))
            elif count >= _SEEN:
                found.append(max(count, count * totals.entries / window))
            else:
                query = f"SELECT count(*) FROM search_index WHERE {sql}"  # noqa: S608
                found.append(float(read.all(query, *each)[0][0]))
    return found


def best(
    read: Reader, expression: Expression, within: Within, limit: int, most: int | None
) -> dict[int, float]:
    """See `Index.best`: the best by labels are scored exactly by their texts."""
    known = totals(read)
    weighed = expression.any or _weigh(read, expression.every, known)
    if not weighed:
        return {}
    since = None
    frequency = min(each.frequency for each in weighed)
    if most is not None and not within.condition and frequency > most:
        since = _since(read, most / frequency)
    scored, values = _scored(expression, weighed, known, since)
    wanted = ""
    if within.condition:
        wanted = f"WHERE pk IN (SELECT pk FROM record WHERE {within.condition})"  # noqa: S608
    query = (
        f"SELECT pk FROM ({scored}) AS found {wanted}"  # noqa: S608
        " GROUP BY pk ORDER BY sum(score) DESC, pk DESC LIMIT ?"
    )
    rows = read.all(query, *values, *within.values, max(limit, _RESCORED))
    added = Rescorer(weighed, known).added(read, [pk for (pk,) in rows])
    order = sorted(added, key=lambda pk: (-added[pk], -pk))
    return {pk: added[pk] for pk in order[:limit]}


def matching(terms: Sequence[Term]) -> Clause:
    """Return the condition on `search_index` that every term occurs."""
    parts: list[Clause] = []
    lexemes: list[str] = []
    for term in terms:
        if len(term.phrases) > 1:
            either = [_phrase(phrase) for phrase in term.phrases]
            sql = " OR ".join(f"({each})" for each, _ in either)
            parts.append((f"({sql})", [value for _, each in either for value in each]))
            continue
        lexemes += _lexemes(term.phrases[0])
        if beside := _beside(term.phrases[0]):
            parts.append(("text LIKE ?", [beside]))
    if lexemes:
        parts.insert(0, (_HAS, [" & ".join(dict.fromkeys(lexemes))]))
    return " AND ".join(sql for sql, _ in parts), [value for _, each in parts for value in each]


def keep(conn: Connection, pk: int, title: str, body: str) -> None:
    """Index a row of `search_text`, or what it has become, within the caller's transaction."""
    _KEEP.run(conn, {"pk": pk, **row_of(title, body)})


def drop(conn: Connection, pk: int) -> None:
    """Take a row out of the index; deleting its record alone would leave it in the totals."""
    _DROP.run(conn, {"of": pk})


def rebuild(conn: Connection) -> None:
    """Write the index anew from `search_text`."""
    for statement in ("DELETE FROM search_index", "UPDATE search_total SET entries = 0, words = 0"):
        conn.exec_driver_sql(statement)
    for rows in _walk(conn):
        for row in rows:
            keep(conn, row.pk, row.title, row.body)


def is_sound(conn: Connection) -> bool:
    """Tell whether the index and its totals say what `search_text` says; reads all of both."""
    entries = words = 0
    for rows in _walk(conn):
        made = [row_of(row.title, row.body) for row in rows]
        expected = {
            "pks": [row.pk for row in rows],
            **{name: [row[name] for row in made] for name in ("words", "text", "length")},
        }
        if conn.execute(_ALIKE, expected).scalar() != len(rows):
            return False
        entries += len(rows)
        words += sum(expected["length"])
    kept = conn.exec_driver_sql("SELECT count(*), coalesce(sum(length), 0) FROM search_index").one()
    total = conn.exec_driver_sql("SELECT entries, words FROM search_total").all()
    return tuple(kept) == (entries, words) and [tuple(row) for row in total] == [(entries, words)]


def _walk(conn: Connection) -> Iterator[Sequence[Row[Any]]]:
    after = 0
    while rows := conn.execute(_TEXTS, {"after": after}).all():
        yield rows
        after = rows[-1].pk


def row_of(title: str, body: str) -> dict[str, Any]:
    """Return the columns of `search_index`, but for the key, for the columns of `search_text`."""
    stems = stems_of({*title.split(" "), *body.split(" ")})
    titled = [stems[word] for word in title.split(" ") if word]
    bodied = [stems[word] for word in body.split(" ") if word]
    words = f" {' '.join([*titled, GAP, *bodied])} "
    return {
        "words": _vector(titled, bodied),
        "text": words,
        "length": len(titled) + len(bodied),
    }


def _vector(titled: Sequence[str], bodied: Sequence[str]) -> str:
    """Return the lexemes as the input form of a tsvector; those beyond its room are left out."""
    often = Tally(bodied)
    first = set(titled)
    vector, room = [], _ROOM
    for stem in dict.fromkeys([*titled, *bodied]):
        lexeme = stem[:_LEXEME]
        room -= len(lexeme.encode()) + _PLACE
        if room < 0:
            break
        if stem != GAP:
            vector.append(f"'{lexeme}':1{_label(stem in first, often[stem])}")
    return " ".join(vector)


def _label(titled: bool, count: int) -> str:
    if titled:
        return "A"
    return "B" if count >= _OFTEN else "C" if count >= _TWICE else "D"


_HAS = "words @@ CAST(? AS tsquery)"


def _phrase(phrase: Phrase) -> Clause:
    """Return the condition on `search_index` that a phrase occurs."""
    sql, values = _HAS, [" & ".join(dict.fromkeys(_lexemes(phrase)))]
    if beside := _beside(phrase):
        return f"{sql} AND text LIKE ?", [*values, beside]
    return sql, values


def _lexemes(phrase: Phrase, label: str = "") -> list[str]:
    """Return the lexemes of a phrase as a tsquery has them."""
    # No word of a shadow holds a quote, a backslash or a blank, so nothing needs escaping.
    marks = [""] * len(phrase.words)
    marks[-1] = "*" if phrase.open else ""
    return [
        f"'{stem[:_LEXEME]}'" + (f":{mark}{label}" if mark or label else "")
        for stem, mark in zip(_stems(phrase), marks, strict=True)
    ]


def _stems(phrase: Phrase) -> list[str]:
    stems: Mapping[str, str] = stems_of(phrase.words)
    return [stems[word] for word in phrase.words]


def _beside(phrase: Phrase) -> str:
    """Return the pattern of a text that has the phrase; empty where having its words says so."""
    stems = _stems(phrase)
    if len(stems) == 1 and len(stems[0]) <= _LEXEME:
        return ""
    # No word of a shadow is or holds a sign of a pattern.
    return f"% {' '.join(stems)}{'' if phrase.open else ' '}%"


def _weigh(read: Reader, terms: Sequence[Term], known: Totals) -> tuple[Weighed, ...]:
    from store.ranking import weigh

    return tuple(weigh(read, (phrase for term in terms for phrase in term.phrases), known))


def _since(read: Reader, share: float) -> int | None:
    """Return the least key of the newest entries that are a share of all."""
    (lowest, highest), *_ = read.all("SELECT min(pk), max(pk) FROM search_index")
    return None if highest is None else int(highest - share * (highest - lowest))


def _scored(
    expression: Expression, weighed: Sequence[Weighed], known: Totals, since: int | None
) -> Clause:
    """Return the query for key and score by labels; with any phrase, a row for each that an entry has."""
    later, least = ("AND pk >= ?", [since]) if since is not None else ("", [])
    mean = max(1.0, known.words / max(1, known.entries))
    parts: list[str] = []
    values: list[Any] = []
    if expression.every:
        sql, wanted = matching(expression.every)
        rarest = max(weighed, key=lambda each: each.idf)
        sources = [(rarest, sql, wanted)]
    else:
        sources = [(each, *_phrase(each.phrase)) for each in weighed]
    for each, sql, wanted in sources:
        cases = " ".join(f"WHEN {_HAS} THEN {worth}" for worth in _WORTH.values())
        labelled = [" & ".join(_lexemes(each.phrase, label)) for label in _WORTH]
        parts.append(
            f"SELECT pk, CAST(? AS double precision) * f / (f + {K1 * (1 - B)} + {K1 * B} * length"  # noqa: S608
            " / CAST(? AS double precision)) AS score FROM (SELECT pk, length,"
            f" CASE {cases} ELSE 1.0 END AS f FROM search_index WHERE {sql} {later}) AS one"
        )
        values += [each.idf, mean, *labelled, *wanted, *least]
    return " UNION ALL ".join(parts), values
