"""Nothing that can be called goes undocumented, and no page says what the code no longer does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tui.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_generated_pages_are_current() -> None:
    generator = runpy.run_path(str(ROOT / "docs/generate.py"))
    assert generator["stale"]() == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_explained_and_shown_in_use(name: str) -> None:
    assert COMMANDS[name].help
    texts = [page.read_text("utf-8") for page in PAGES if page.name != "cli.md"]
    in_use = re.compile(rf"^([$>] .*)?memory-inbox (-\S+ \S+ )*{name}\b", re.M)
    assert any(in_use.search(text) for text in texts), (
        f"no page of docs/ shows `memory-inbox {name}` in a block of code"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    assert [param.name for param in COMMANDS[name].params if not param.help] == []


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_site_leads_to_every_page() -> None:
    site = (ROOT / "zensical.toml").read_text("utf-8")
    assert [page.name for page in PAGES if f'"docs/{page.name}"' not in site] == []


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_block_of_code_says_what_it_is(page: Path) -> None:
    """`console` blocks are run; a block without a name would be shown as a command and never tried."""
    fences = re.findall(r"^ *```(\w*)$", page.read_text("utf-8"), re.M)
    assert set(fences[::2]) <= {"console", "sh", "text", "toml", "hcl", "yaml", "json"}
    assert set(fences[1::2]) <= {""}
