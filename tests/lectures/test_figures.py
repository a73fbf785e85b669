"""Every state as a picture: well formed, complete, told in words, readable in light and dark."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from service.lectures import figures
from service.lectures.figures import heat_map
from service.lectures.figures.canvas import measure, wrapped
from service.lectures.figures.frame import WORDS
from service.lectures.figures.theme import DARK, LIGHT

from .conftest import State
from .test_course import STATES

SVG = "{http://www.w3.org/2000/svg}"
EACH = [(lecture, state, lang) for lecture, state in STATES for lang in ("zh", "en")]
ON_GROUND = ("ink", "quiet", "direct", "update", "new")


def drawn(state: dict[str, Any], theme: str = "auto") -> ET.Element:
    return ET.fromstring(figures.draw(state, theme))


def texts(svg: ET.Element) -> list[str]:
    return [each.text or "" for each in svg.iter(f"{SVG}text")]


@pytest.mark.parametrize(("lecture", "name", "lang"), EACH)
def test_a_figure_shows_every_number_label_and_note(state: State, lecture: str, name: str, lang: str) -> None:
    shown = state(lecture, name, lang)
    figure, seen = shown["figure"], texts(drawn(shown))
    everything = "".join(words for words in seen if words != WORDS[lang]["new"]).replace(" ", "")
    for row in figure["rows"]:
        assert set(row["printed"]) <= set(seen)
    for each in figure["statistics"]:
        assert any(words.endswith(each["printed"]) for words in seen)
    words = [figure["heading"], *figure["notes"]]
    words += [each["label"] for part in ("rows", "statistics", "nodes", "lanes") for each in figure[part]]
    words += [each["text"] for each in figure["formulas"]]
    for each in words:
        assert each.replace(" ", "") in everything


@pytest.mark.parametrize(("lecture", "name", "lang"), EACH)
def test_a_figure_is_an_image_with_a_name_and_a_description(
    state: State, lecture: str, name: str, lang: str
) -> None:
    shown = state(lecture, name, lang)
    svg = drawn(shown)
    named = {each.get("id"): each.text for each in svg if each.tag in (f"{SVG}title", f"{SVG}desc")}
    assert svg.get("role") == "img"
    assert svg.get("lang") == {"zh": "zh-Hans", "en": "en"}[lang]
    assert list(named) == (svg.get("aria-labelledby") or "").split()
    title, told = named.values()
    assert shown["figure"]["heading"] in (title or "")
    for row in shown["figure"]["rows"]:
        assert f"{row['label']}" in (told or "")
        assert ", ".join(row["printed"]) in (told or "")
    for node in shown["figure"]["nodes"]:
        assert node["label"] in (told or "")


@pytest.mark.parametrize(("lecture", "name", "lang"), EACH)
def test_what_is_new_is_said_in_words_and_not_by_colour_alone(
    state: State, lecture: str, name: str, lang: str
) -> None:
    shown = state(lecture, name, lang)
    figure = shown["figure"]
    own = [each for kind in ("rows", "formulas", "nodes") for each in figure[kind] if each["new"]]
    own += figure["new_notes"]
    lines = {each["label"] for each in figure["statistics"] if each["new"]}
    assert texts(drawn(shown)).count(WORDS[lang]["new"]) == len(own) + len(lines)


def test_what_is_shown_stays_where_it_is_when_the_next_state_adds_to_it(state: State) -> None:
    before, after = (drawn(state("R44", name)) for name in ("b1", "b2"))
    placed = {(each.text, each.get("x"), each.get("y")) for each in after.iter(f"{SVG}text")}
    numbers = [each for each in before.iter(f"{SVG}text") if each.text in ("1.599", "0.802")]
    assert numbers
    assert all((each.text, each.get("x"), each.get("y")) in placed for each in numbers)


def test_a_changed_figure_says_so(state: State) -> None:
    shown = state("R44", "b2", "en", {"block": {"epsilon": 0.1}})
    seen = texts(drawn(shown))
    assert "numbers changed" in seen
    assert any("10⁻⁵ → 0.1" in words for words in seen)
    assert "numbers changed" not in texts(drawn(state("R44", "b2", "en")))


def test_a_new_note_that_wraps_is_new_on_all_its_lines(state: State) -> None:
    shown = state("R44", "b4", "en")
    (note,) = shown["figure"]["new_notes"]
    lines = [each for each in drawn(shown).iter(f"{SVG}text") if (each.text or "?") in note]
    assert len(lines) > 1
    assert not [each.text for each in lines if "quiet" in (each.get("class") or "")]


def test_text_of_the_caller_is_text_in_the_figure(state: State) -> None:
    shown = state("R44", "b2", "en", {"parameters": {"norm_1.gamma": [2, 1, 1, 1]}})
    shown["figure"]["notes"].append("</text><script>alert(1)</script>&")
    svg = drawn(shown)
    assert not list(svg.iter(f"{SVG}script"))
    assert "</text><script>alert(1)</script>&" in texts(svg)


@pytest.mark.parametrize("width", [8, 64])
def test_a_long_row_shows_its_beginning_and_its_end(state: State, width: int) -> None:
    shown = state("R44", "b0")
    printed = [f"{i}.500" for i in range(width)]
    shown["figure"]["rows"][0]["printed"] = printed
    seen = texts(drawn(shown))
    assert printed[0] in seen
    assert printed[-1] in seen
    assert ("…" in seen) == (width > 10)


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_stands_out_from_its_ground(theme: dict[str, str]) -> None:
    pairs = [(name, "ground") for name in ON_GROUND]
    pairs += [("ink", ground) for ground in ("panel", "new-soft", "direct-soft", "update-soft")]
    pairs += [("on-new", "new"), ("quiet", "panel")]
    for text, ground in pairs:
        assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_large_numbers_in_a_heat_map_stand_out_from_every_shade(theme: dict[str, str]) -> None:
    """Bold and large, so 3 will do (WCAG AA)."""
    for percent in range(101):
        share = percent / 100
        ground = blended(theme["new"], theme["ground"], heat_map.opacity(share))
        assert contrast(theme["on-new" if share > heat_map.DEEP else "ink"], ground) >= 3, percent


def blended(front: str, back: str, opacity: float) -> str:
    pairs = ((int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * opacity + b * (1 - opacity)):02x}" for a, b in pairs)


def test_a_figure_follows_the_reader_s_preference_unless_told_otherwise(state: State) -> None:
    shown = state("R44", "b0")
    assert "prefers-color-scheme: dark" in figures.draw(shown)
    assert "prefers-color-scheme" not in figures.draw(shown, "light")
    assert DARK["ground"] in figures.draw(shown, "dark")
    assert DARK["ground"] not in figures.draw(shown, "light")


def test_chinese_wraps_between_characters_but_never_before_a_closing_sign() -> None:
    lines = wrapped("注意力读来的内容是一份修正，它加到表示上。", 20, 130)
    assert "".join(lines) == "注意力读来的内容是一份修正，它加到表示上。"
    assert all(line[0] not in "，。" for line in lines)
    assert all(measure(line, 20) <= 150 for line in lines)


def test_english_wraps_between_words() -> None:
    assert wrapped("one two three", 20, measure("one two", 20) + 1) == ["one two", "three"]
