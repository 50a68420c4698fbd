"""Settings as the app can follow them: a theme that there is, and one action a key on each screen."""

from __future__ import annotations

from dataclasses import replace

from textual.binding import Binding
from textual.theme import BUILTIN_THEMES

from tui.actions import ACTIONS, BY_ID
from tui.settings import Settings


def fit_app(settings: Settings) -> Settings:
    """Return settings without what the app cannot follow; each such thing becomes a problem of theirs."""
    theme, keys = settings.theme, dict(settings.keys)
    problems = []
    if theme and theme not in BUILTIN_THEMES:
        problems.append(f"no theme is called {theme}")
        theme = ""
    problems += _drop_clashes(keys)
    return replace(settings, theme=theme, keys=keys, problems=(*settings.problems, *problems))


def _drop_clashes(keys: dict[str, str]) -> list[str]:
    """Drop settings that would give a key two actions on one screen; returns what was wrong."""
    problems = []
    for id in list(keys):
        wanted = _names(keys[id])
        for other in ACTIONS:
            if other.id == id or not other.where & BY_ID[id].where:
                continue
            taken = wanted & _names(keys.get(other.id, other.keys))
            if taken:
                problems.append(
                    f"keys: {' '.join(sorted(taken))} is already {other.label}, not {id}"
                )
                del keys[id]
                break
    return problems


def _names(keys: str) -> set[str]:
    """Return Textual's names of keys that people may write as characters."""
    bindings = Binding.make_bindings([Binding(",".join(keys.split()), "act")]) if keys else ()
    return {binding.key for binding in bindings}
