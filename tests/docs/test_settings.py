"""The settings that docs/settings.md shows are settings that the app takes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tui.app_settings import fit_app
from tui.settings import understand

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_example_is_understood_without_a_problem() -> None:
    [example] = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    settings = fit_app(understand(tomllib.loads(example)))
    assert settings.problems == ()
    assert settings.theme
    assert settings.keys
    assert settings.sections
