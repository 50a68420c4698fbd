"""What an operator may set, in ``config.toml``: theme, keys, filters to come back to, warnings, a limit.

    theme = "nord"
    text_limit_kb = 512

    [keys]
    approve = "y"
    plan = "p f2"

    [sections]
    "old feedback" = "type:feedback older:30d"

    [lens]
    instructions = "danger"

    [trust]
    "cli:*" = "trusted"

A file that is wrong in places is right in all others: what cannot be understood is named and left out. Which
themes there are and which keys clash is the app's to say: `tui.app_settings`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from render.lens.policy import AS_IT_COMES, LEVELS, RULES, Policy, Trust
from store.settings import TEXT_LIMIT, kilobytes
from store.settings import settings_file as settings_file
from tui.actions import BY_ID


@dataclass(frozen=True, slots=True)
class Settings:
    """What was set; each unset field leaves the app as it comes."""

    theme: str = ""
    """A theme of Textual; unset is the app's own choice."""

    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys by the id of their action, with blanks between; unset are those of `tui.actions`."""

    sections: Mapping[str, str] = field(default_factory=dict)
    """Filter texts by name, offered by the command palette; unset are none."""

    policy: Policy = AS_IT_COMES
    """What warnings weigh, by rule and by source; unset is every rule as it comes, and no source trusted."""

    text_limit_kb: int | None = None
    """The longest text of a memory, in KB; unset is 256. `store.settings` reads it for all who write."""

    problems: tuple[str, ...] = ()
    """What could not be understood, in sentences; nothing of it is in the fields above."""

    @property
    def keymap(self) -> dict[str, str]:
        """The keys as Textual's keymap takes them."""
        return {id: ",".join(keys.split()) for id, keys in self.keys.items()}


DEFAULTS = Settings()
_NAMES = frozenset({"theme", "keys", "sections", "lens", "trust", TEXT_LIMIT})


def read_settings(path: Path, provider: str | None = None) -> Settings:
    """Read settings; a file that is not there sets nothing, one that cannot be read is a problem.

    Args:
        provider: the address of another provider that is looked after; None for the operator's store.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        return Settings(problems=(f"{path}: {error}",))
    settings = understand(found)
    return replace(settings, policy=replace(settings.policy, provider=provider or ""))


def understand(found: Mapping[str, Any]) -> Settings:
    """Make settings of a decoded file."""
    problems = [f"nothing is called {name}" for name in found if name not in _NAMES]
    theme = found.get("theme", "")
    if not isinstance(theme, str):
        problems.append("theme is a text")
        theme = ""
    keys = _texts("keys", found, problems)
    for id in [id for id in keys if id not in BY_ID]:
        problems.append(f"keys: no action is called {id}")
        del keys[id]
    sections, policy = _texts("sections", found, problems), _policy(found, problems)
    limit = _text_limit(found, problems)
    return Settings(theme, keys, sections, policy, limit, tuple(problems))


def _text_limit(found: Mapping[str, Any], problems: list[str]) -> int | None:
    try:
        return kilobytes(found[TEXT_LIMIT]) if TEXT_LIMIT in found else None
    except ValueError as error:
        problems.append(f"{TEXT_LIMIT} {error}")
        return None


def _policy(found: Mapping[str, Any], problems: list[str]) -> Policy:
    """Return what is set about warnings; a mistake there leaves the rule as it comes."""
    rules = _texts("lens", found, problems)
    for name in [name for name in rules if name not in RULES]:
        problems.append(f"lens: no rule is called {name}")
        del rules[name]
    for name, level in [each for each in rules.items() if each[1] not in LEVELS]:
        problems.append(f"lens: {name} is one of {', '.join(LEVELS)}, and not {level}")
        del rules[name]
    trust = _texts("trust", found, problems)
    for source, word in [each for each in trust.items() if each[1] not in list(Trust)]:
        problems.append(f"trust: {source} is {' or '.join(Trust)}, and not {word}")
        del trust[source]
    return Policy(rules, {source: Trust(word) for source, word in trust.items()})


def _texts(name: str, found: Mapping[str, Any], problems: list[str]) -> dict[str, str]:
    table = found.get(name, {})
    if not isinstance(table, Mapping):
        problems.append(f"{name} is a table of texts")
        return {}
    wrong = [key for key, value in table.items() if not (isinstance(value, str) and value.strip())]
    problems += (f"{name}: {key} is a text" for key in wrong)
    return {key: value for key, value in table.items() if key not in wrong}
