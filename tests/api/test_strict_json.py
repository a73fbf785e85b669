"""Reading JSON strictly."""

from __future__ import annotations

import pytest

from service.api.strict_json import read_json
from service.errors import NotJSON


def test_json_is_read_as_it_stands() -> None:
    body = '{"a": [1, 2.5, -0.0], "b\\"": "[[[{:", "c": {"d": null, "é": true}}'.encode()
    assert read_json(body, 8) == {"a": [1, 2.5, -0.0], 'b"': "[[[{:", "c": {"d": None, "é": True}}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"x": NaN}',
        b"[Infinity]",
        b"[1e400]",
        b"9" * 5000,
        b"[1,]",
        b"{'a': 1}",
        b'"\xff"',
        b'"\xc3',
        b'"\\ud800"',
        b"\xef\xbb\xbf{}",
        '{"a": 1}'.encode("utf-16"),
        b"{} {}",
        b"01",
        b'"\x00"',
    ],
    ids=lambda body: repr(body[:12]),
)
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with pytest.raises(NotJSON):
        read_json(body, 64)


def test_depth_is_counted_outside_strings_and_told() -> None:
    assert read_json(b'[["[[[["]]', 2) == [["[[[["]]
    with pytest.raises(NotJSON) as refused:
        read_json(b"[[[1]]]", 2)
    assert (refused.value.faults[0].expected, refused.value.faults[0].got) == ("at most 2 levels", 3)


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":1,"a":1}',
        b'{"a":1,"\\u0061":2}',
        b'[[1],{"b":{"a":1,"c":3,"a":[]}}]',
        b'{"a":":","b":"\\u003a","a":1}',
        b'{"a":"\\u003A","a":1}',
        b'{"x":[1,{"a":1,"a":2}]}',
    ],
)
def test_a_key_that_stands_twice_is_named(body: bytes) -> None:
    with pytest.raises(NotJSON, match="'a' stands twice"):
        read_json(body, 64)


def test_depth_hidden_behind_a_number_does_no_harm() -> None:
    def hidden(depth: int) -> bytes:
        return b'{"a":1,"x":[1,' + b'[{"a":' * depth + b"1" + b"}]" * depth + b"]}"

    assert read_json(hidden(100), 64)["a"] == 1
    with pytest.raises(NotJSON):
        read_json(hidden(900), 64)


def test_colons_in_strings_are_no_keys() -> None:
    body = b'{"a:":"::","b":[":",{"\\u003a":"c:"}],"d":["x",":"]}'
    assert read_json(body, 8) == {"a:": "::", "b": [":", {":": "c:"}], "d": ["x", ":"]}


def test_equal_keys_in_different_objects_are_no_duplicates() -> None:
    assert read_json(b'{"a":{"a":1},"b":[{"a":1},{"a":2}]}', 8)["b"] == [{"a": 1}, {"a": 2}]
