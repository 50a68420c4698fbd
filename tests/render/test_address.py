"""Where an address leads, as browsers read it, and what is said where it does not show that itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.address import host_of, read_out, where_to


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://example.test", "example.test"),
        ("HTTP://Example.TEST:8080/a?b#c", "example.test"),
        ("https://bank.example@evil.test/", "evil.test"),
        ("https://bank.example:443@evil.test:1/", "evil.test"),
        ("https://evil.test\\@bank.example/", "evil.test"),
        ("https:/\\evil.test/", "evil.test"),
        ("https:evil.test", "evil.test"),
        ("ht\ttps://evil.te\nst/", "evil.test"),
        ("https://evil%2Etest/", "evil.test"),
        ("https://bücher.example", "xn--bcher-kva.example"),
        ("https://BÜCHER.example", "xn--bcher-kva.example"),
        ("https://bu\u0308cher.example", "xn--bcher-kva.example"),
        ("https://例子。测试/", "xn--fsqu00a.xn--0zwm56d"),
        ("https://аррӏе.com/", "xn--80ak6aa92e.com"),
        ("https://ｇoo\u00adg\u200ble.example", "google.example"),
        ("https://[2001:DB8::1]:443/", "[2001:db8::1]"),
        ("mailto:a@example.test", ""),
        ("memory:a", ""),
        ("", ""),
    ],
)
def test_the_host_is_the_one_that_a_browser_asks(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://example.test/ä?q=@b.example", ""),
        ("HTTPS://EXAMPLE.test:8080", ""),
        ("mailto:a@bücher.example", ""),
        (
            "https://bücher.example",
            "Its host is xn--bcher-kva.example, which reads bücher.example.",
        ),
        (
            "https://xn--bcher-kva.example",
            "Its host is xn--bcher-kva.example, which reads bücher.example.",
        ),
        ("https://bank.example@evil.test", "Its host is evil.test."),
        ("https://evil.test\\.bank.example", "Its host is evil.test."),
        ("https://xn--\u0000.example", "Its host is xn--\0.example."),
    ],
)
def test_what_is_said_of_an_address_that_does_not_show_its_host(url: str, told: str) -> None:
    assert where_to(url).startswith(told)
    assert bool(where_to(url)) == bool(told)


@given(st.text())
def test_any_address_can_be_read(rest: str) -> None:
    host = host_of(f"https://{rest}")
    assert host.isascii() or "%" in rest or "[" in rest
    read_out(host)
    where_to(f"http:{rest}")


@given(st.from_regex(r"[a-zäöüа-я漢字]{1,20}", fullmatch=True))
def test_letters_come_back_from_the_ascii_that_stands_for_them(label: str) -> None:
    assert read_out(host_of(f"https://{label}.example")) == f"{label}.example"
