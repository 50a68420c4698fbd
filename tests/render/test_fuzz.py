"""Random texts hold; `tests.render.fuzz` runs many more of them."""

from __future__ import annotations

import pytest

from tests.render.fuzz import check, main, texts


def test_random_texts_are_shown_whole_and_safe() -> None:
    for number, text in enumerate(texts(1_500, seed=7)):
        check(text, 8 + number % 90)


def test_the_command_says_how_many_held(capsys: pytest.CaptureFixture[str]) -> None:
    main(20, 3)
    assert capsys.readouterr().out == "20 texts held\n"
