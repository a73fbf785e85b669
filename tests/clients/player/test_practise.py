"""Practise: an exercise, an answer, a verdict on every number, and the diagnosis in words."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import Open, at, fits_across

if TYPE_CHECKING:
    from playwright.sync_api import Page

Ask = Callable[..., Any]
Axe = Callable[..., list[str]]
TOPICS = (
    "attention_weights",
    "multi_head_output",
    "add_and_norm",
    "feed_forward",
    "whole_row",
    "zeroed_projection",
    "pre_or_post",
    "jacobian_direct_path",
)


def flat(value: Any) -> list[float]:
    return [number for each in value for number in flat(each)] if isinstance(value, list) else [float(value)]


def nested(numbers: list[float], shape: list[int]) -> Any:
    if len(shape) == 1:
        return numbers
    stride = len(numbers) // shape[0]
    return [nested(numbers[i * stride : (i + 1) * stride], shape[1:]) for i in range(shape[0])]


def right_answer(ask: Ask, asked: Any) -> list[float]:
    """What the service itself reveals as right."""
    zeros = nested([0.0] * prod(asked["shape"]), asked["shape"])
    return flat(ask("/checks", {**asked["check"], "answer": zeros, "reveal": True})["expected"])


def type_in(page: Page, question: int, numbers: list[Any]) -> None:
    boxes = page.locator(".question").nth(question).locator("input").all()
    assert len(boxes) == len(numbers)
    for box, number in zip(boxes, numbers, strict=True):
        box.fill(str(number))


def check(page: Page, lang: str = "en") -> None:
    page.get_by_role("button", name="Check" if lang == "en" else "检查").click()


@pytest.mark.parametrize("topic", TOPICS)
def test_the_right_answers_to_every_topic_are_right(open_page: Open, ask: Ask, topic: str) -> None:
    exercise = ask("/exercises", {"topic": topic, "seed": 3, "lang": "en"})
    page = open_page(at("R44", lang="en", view="practise", topic=topic, seed="3"))
    page.locator(".question").first.wait_for()
    assert exercise["statement"] in (page.locator(".task").text_content() or "")
    assert exercise["title"] == page.locator(".task h2").text_content()
    for number, asked in enumerate(exercise["asked"]):
        type_in(page, number, [f"{each:.4f}" for each in right_answer(ask, asked)])
    check(page)
    page.locator(".verdict .good").nth(len(exercise["asked"]) - 1).wait_for()
    assert page.locator(".box.right").count() == page.locator(".box").count()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_known_mistake_is_marked_number_by_number_and_told_in_words(
    open_page: Open, ask: Ask, axe: Axe, lang: str
) -> None:
    asked = ask("/exercises", {"topic": "add_and_norm", "seed": 3, "lang": lang})["asked"]
    variance = next(i for i, each in enumerate(asked) if each["step"] == "norm_1.variance")
    (number,) = right_answer(ask, asked[variance])
    wrong = number * 4 / 3
    page = open_page(at("R44", lang=lang, view="practise", topic="add_and_norm", seed="3"))
    page.locator(".question").first.wait_for()
    type_in(page, variance, [f"{wrong:.4f}"])
    check(page, lang)
    page.locator(".verdict .bad").wait_for()
    verdict = ask("/checks?lang=" + lang, {**asked[variance]["check"], "answer": [f"{wrong:.4f}"]})
    said = page.locator(".verdict .points li").all_text_contents()
    assert said == [each["explanation"] for each in verdict["diagnoses"]] != []
    assert page.locator(".box.wrong input").get_attribute("aria-invalid") == "true"
    assert axe(page) == []


def test_one_early_slip_is_not_held_against_what_follows_from_it(open_page: Open, ask: Ask) -> None:
    asked = ask("/exercises", {"topic": "feed_forward", "seed": 3})["asked"]
    page = open_page(at("R45", lang="en", view="practise", topic="feed_forward", seed="3"))
    page.locator(".question").first.wait_for()
    answers = [right_answer(ask, each) for each in asked]
    answers[0][0] += 1
    carried = {asked[0]["step"]: nested(answers[0], asked[0]["shape"])}
    zeros = nested([0.0] * len(answers[1]), asked[1]["shape"])
    revealed = ask("/checks", {**asked[1]["check"], "answer": zeros, "reveal": True, "carried": carried})
    answers[1] = flat(revealed["expected"])
    type_in(page, 0, [f"{each:.4f}" for each in answers[0]])
    type_in(page, 1, [f"{each:.4f}" for each in answers[1]])
    check(page)
    page.locator(".question").nth(1).locator(".good").wait_for()
    assert page.locator(".question").nth(0).locator(".box.wrong").count() == 1


def test_what_is_left_empty_or_cannot_be_read_is_said_at_its_place(open_page: Open) -> None:
    page = open_page(
        at("R44", lang="en", view="practise", topic="add_and_norm", seed="3"), expects_trouble=True
    )
    first = page.locator(".question").first
    first.wait_for()
    check(page)
    assert "at least one" in (page.locator(".outcome").text_content() or "")
    first.locator("input").first.fill("1")
    check(page)
    first.locator(".verdict .bad", has_text="fill in every number").wait_for()
    for box, typed in zip(first.locator("input").all(), ["1/2", "−1", "1,5", "2"], strict=True):
        box.fill(typed)
    check(page)
    first.locator(".verdict .bad", has_text="such as 0.5, −1 or 1/2").wait_for()
    invalid = first.locator("input[aria-invalid=true]")
    assert invalid.evaluate_all("all => all.map((each) => each.value)") == ["1,5"]


def test_the_working_shows_every_step_on_the_way(open_page: Open, ask: Ask) -> None:
    exercise = ask("/exercises", {"topic": "whole_row", "seed": 3})
    steps = [step for body in exercise["working"] for step in ask("/block/trace", body)["steps"]]
    page = open_page(at("R45", lang="en", view="practise", topic="whole_row", seed="3"))
    page.get_by_role("button", name="Show the working").click()
    page.locator(".lines li").first.wait_for()
    assert page.locator(".lines .name code").all_text_contents() == [step["name"] for step in steps]
    page.get_by_role("button", name="Hide the working").click()
    assert not page.locator(".working").is_visible()


def test_another_exercise_has_another_number_and_its_address_gives_it_again(open_page: Open) -> None:
    page = open_page(at("R44", lang="en", view="practise"))
    page.locator(".question").first.wait_for()
    before = page.locator(".given").text_content()
    page.get_by_role("button", name="Another exercise").click()
    page.locator(".seed", has_text="Exercise number 1").or_(page.locator(".seed")).wait_for()
    page.wait_for_url("**seed=**")
    page.locator(".question").first.wait_for()
    number = page.locator(".seed").text_content()
    again = open_page(page.url)
    again.locator(".question").first.wait_for()
    assert again.locator(".seed").text_content() == number
    assert again.locator(".given").text_content() == page.locator(".given").text_content()
    assert before


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("topic", ["multi_head_output", "jacobian_direct_path"])
def test_axe_finds_nothing_and_the_page_does_not_scroll_sideways(
    open_page: Open, axe: Axe, topic: str, width: int, scheme: str
) -> None:
    page = open_page(
        at("R44", lang="zh", view="practise", topic=topic, seed="3"), width=width, color_scheme=scheme
    )
    page.locator(".question").first.wait_for()
    page.get_by_role("button", name="看解答过程").click()
    page.locator(".lines .cell").first.wait_for()
    assert axe(page) == []
    assert fits_across(page)


def test_the_whole_exercise_can_be_done_with_the_keyboard(open_page: Open, ask: Ask) -> None:
    asked = ask("/exercises", {"topic": "add_and_norm", "seed": 3})["asked"]
    page = open_page(at("R44", lang="en", view="practise", topic="add_and_norm", seed="3"))
    page.locator(".question input").first.focus()
    for each in asked:
        for number in right_answer(ask, each):
            page.keyboard.type(f"{number:.4f}".replace("-", "−"))
            page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".verdict .good").nth(len(asked) - 1).wait_for()
