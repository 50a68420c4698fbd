"""How the screens look: text stands out from its ground in themes of every kind, pictures are up to date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.color import Color as RichColor
from rich.segment import Segment
from textual._wait import wait_for_idle
from textual.color import Color

from screenshots.make import SHOTS, Shot, clean, draw, running
from tests.tui.sitting import sitting
from tui.bars import KeyBar, TopBar

FAINT = 3.0
"""The least contrast of an interface by WCAG 2.2; keys that do nothing now may have less."""

DECORATION = frozenset("─│╭╮╰╯┌┐└┘━┃┏┓┗┛▎▌█░┊▁▂▃▄▅▆▇▔▕▏ ")
THEMES = ("textual-dark", "textual-light", "nord", "gruvbox", "solarized-light", "catppuccin-latte")
BY_NAME = {shot.name: shot for shot in SHOTS}
SCREENS = (
    "card-links",
    "revision",
    "warnings",
    "plan",
    "browse",
    "links",
    "recall",
    "help",
    "empty-state",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
async def test_all_text_stands_out_from_its_ground(name: str, tmp_path: Path) -> None:
    faint: set[tuple[str, str, float]] = set()
    async with running(BY_NAME[name], tmp_path) as app:
        for theme in THEMES:
            app.theme = theme
            await wait_for_idle(0)
            bar = app.screen.query_one(KeyBar)
            off = bar.get_component_rich_style("key-bar--off").color
            for strip in app.screen._compositor.render_strips():
                faint |= {
                    (theme, run.text.strip(), round(contrast, 1))
                    for run, contrast in contrasts(strip)
                    if contrast < FAINT and run.style and run.style.color != off
                }
    assert faint == set()


def contrasts(strip: Iterable[Segment]) -> Iterator[tuple[Segment, float]]:
    """Yield runs of text with the contrast to their ground, by WCAG's formula."""
    for run in strip:
        style = run.style
        if style and style.color and style.bgcolor and set(run.text) - DECORATION:
            pair = sorted((luminance(style.color), luminance(style.bgcolor)), reverse=True)
            yield run, (pair[0] + 0.05) / (pair[1] + 0.05)


def luminance(color: RichColor) -> float:
    """Return the relative luminance of WCAG 2.2."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in Color.from_rich_color(color).normalized
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.slow
@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
async def test_the_pictures_are_what_the_app_draws(shot: Shot, tmp_path: Path) -> None:
    """`make screenshots` draws them again."""
    path = Path("screenshots") / f"{shot.name}.svg"
    assert path.read_text(encoding="utf-8") == await draw(shot, tmp_path)


async def test_a_picture_is_the_same_whenever_it_is_drawn_and_names_no_server(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = await draw(BY_NAME["card-links"], tmp_path / "a")
    assert first == await draw(BY_NAME["card-links"], tmp_path / "b")
    assert set(re.findall(r"https?://[\w.]+", first)) == {"http://www.w3.org"}


async def test_the_name_of_a_store_is_made_visible(store: Path) -> None:
    async with sitting(store) as seat:
        bar = seat.app.screen.query_one(TopBar)
        bar.aside = "/tmp/\x1b[2J漢.db"
        lines = str(bar.render())
        assert "/tmp/␛[2J漢.db" in lines
        assert cell_len(lines) == bar.content_size.width


def test_wide_characters_take_two_cells_in_a_picture() -> None:
    text = '<text x="0" textLength="24.4" class="r1">漢字</text>'
    assert 'textLength="48.8"' in clean(text)
