"""Explore: the graph of steps and what lies behind it, as the service computes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import Open, at, fits_across

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Ask = Callable[..., Any]
Axe = Callable[..., list[str]]
EXAMPLE = "lecture-05-reconstructed"
PARTS = ("steps", "weights", "jacobian", "comparison")
VARIANTS: dict[str, Any] = {
    "every example's own": {},
    "decoder": {"kind": "decoder", "mask": "causal"},
    "llama": {
        "norm": "rms_norm",
        "activation": "swiglu",
        "position": {"rope": {"theta": 10000, "layout": "half"}},
    },
    "softcap and alibi": {"softcap": 5, "position": {"alibi": True}, "window": 2, "activation": "gelu_tanh"},
    "dropout": {"dropout": 0.5, "activation": "gelu"},
    "gated, pre-norm": {"norm_placement": "pre", "activation": "geglu"},
}


def flat(value: Any) -> list[float]:
    return [number for each in value for number in flat(each)] if isinstance(value, list) else [float(value)]


def exact(cells: Locator) -> list[float]:
    """The numbers behind the cells, every digit of them."""
    titles = cells.evaluate_all("all => all.map((each) => each.title)")
    spelled = {"Infinity": "inf", "−Infinity": "-inf"}
    return [float(spelled.get(title, title.replace("−", "-"))) for title in titles]


def test_every_step_can_be_looked_at_and_shows_its_formula_axes_parents_and_numbers(
    open_page: Open, ask: Ask
) -> None:
    page = open_page(at("R44", lang="en", view="explore"))
    steps = ask("/block/trace", {"example": EXAMPLE})["steps"]
    buttons = page.locator(".station")
    buttons.first.wait_for()
    assert buttons.evaluate_all("all => all.map((each) => each.dataset.step)") == [
        step["name"] for step in steps
    ]
    for step in steps:
        page.locator(f".station[data-step='{step['name']}']").click()
        page.locator(".look h2", has_text=re.compile(f"^{re.escape(step['name'])}$")).wait_for()
        assert page.locator(".look > .formula math").count() == 1
        assert page.locator(".look .axis code").all_text_contents() == step["axes"]
        parents = page.locator(".facts > div").nth(2).locator("button, code").all_text_contents()
        assert parents == step["inputs"]
        assert exact(page.locator(".look .cell")) == flat(step["value"])


def test_the_arrow_keys_walk_along_the_line(open_page: Open) -> None:
    page = open_page(at("R44", lang="en", view="explore", step="x"))
    page.locator(".station[aria-pressed=true][data-step=x]").focus()
    page.keyboard.press("ArrowDown")
    page.locator(".station[aria-pressed=true][data-step='attention.query']").wait_for()
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.dataset.step") == "attention.query"
    assert "step=attention.query" in page.evaluate("location.hash")


def test_a_parent_leads_to_its_own_step(open_page: Open) -> None:
    page = open_page(at("R44", lang="en", view="explore", step="residual_1"))
    page.locator(".facts").get_by_role("button", name="attention.output").click()
    page.locator(".look h2", has_text="attention.output").wait_for()


def test_the_residual_stream_is_drawn_as_one_straight_line(open_page: Open) -> None:
    page = open_page(at("R44", view="explore"))
    direct = page.locator(".rail .edge.direct")
    direct.first.wait_for(state="attached")
    columns = direct.evaluate_all(
        "all => all.map((each) => /^M([\\d.]+) [\\d.]+V/.exec(each.getAttribute('d'))?.[1])"
    )
    assert len(set(columns)) == 1
    assert None not in columns


@pytest.mark.parametrize("example", ["lecture-05-causal", EXAMPLE])
def test_attention_weights_are_shown_as_a_matrix_for_each_head(
    open_page: Open, ask: Ask, example: str
) -> None:
    page = open_page(at("R44", lang="en", view="explore", part="weights", example=example))
    (weights,) = ask("/block/trace", {"example": example, "select": ["attention.weights"]})["steps"]
    page.locator(".weights .heat").first.wait_for()
    assert page.locator(".weights .heat").count() == weights["shape"][0]
    assert exact(page.locator(".weights .cell")) == flat(weights["value"])


def test_the_jacobian_is_the_direct_path_and_the_rest(open_page: Open, ask: Ask) -> None:
    page = open_page(at("R44", lang="en", view="explore", part="jacobian", of="residual_1"))
    page.locator(".matrices table").nth(2).wait_for()
    whole, direct, rest = (exact(table.locator(".cell")) for table in page.locator(".matrices table").all())
    asked = {"trace": {"example": EXAMPLE}, "of": "residual_1", "of_token": 0, "wrt": "x", "wrt_token": 0}
    assert whole == flat(ask("/block/jacobian", asked)["matrix"]["value"])
    assert direct == [float(i == j) for i in range(4) for j in range(4)]
    assert [a + b for a, b in zip(direct, rest, strict=True)] == pytest.approx(whole)
    page.get_by_label("Token of the input").select_option("1")
    page.locator(".matrices table").nth(1).locator(".cell[title='0']").nth(15).wait_for()
    assert exact(page.locator(".matrices table").nth(1).locator(".cell")) == [0] * 16


def test_post_norm_and_pre_norm_stand_side_by_side(open_page: Open, ask: Ask) -> None:
    page = open_page(at("R44", lang="en", view="explore", part="comparison"))
    page.locator(".side-by-side tbody tr").first.wait_for()
    answer = ask(
        "/block/compare",
        {
            "base": {"example": EXAMPLE, "select": ["x", "*.output", "residual_*"], "tokens": [0]},
            "variants": {"pre": {"block": {"norm_placement": "pre"}}},
        },
    )["variants"]["pre"]
    assert answer["first_difference"] in (page.locator(".comparison .about").text_content() or "")
    shown = [step for step in answer["steps"] if "base" in step]
    assert page.locator(".side-by-side tbody code").all_text_contents() == [step["name"] for step in shown]
    assert exact(page.locator(".side-by-side tbody .cell")) == [
        number for step in shown for side in ("base", "variant") for number in flat(step[side]["value"])
    ]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_every_formula_the_engine_writes_is_set_as_mathematics(
    open_page: Open, ask: Ask, variant: Any
) -> None:
    request = {
        "block": {"d_model": 4, "n_heads": 2, "d_ff": 6, **variant},
        "seed": 1,
        "x": [[1, 0, 1, 0], [0, 1, 0, 1]],
        **({"memory": [[1, 0, 0, 1]]} if variant.get("kind") == "decoder" else {}),
    }
    steps = ask("/block/trace", request)["steps"]
    page = open_page(at("R44", lang="en"))
    set_as = page.evaluate(
        "async (all) => { const { mathFromLatex } = await import('/player/src/latex.js');"
        " return all.map((latex) => mathFromLatex(latex).textContent); }",
        [f"{step['symbol']} = {step['latex']}" for step in steps],
    )
    assert len(set_as) == len(steps)
    for text in set_as:
        assert not re.search(r"[\\{}]|undefined", text), text


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("part", PARTS)
def test_axe_finds_nothing_and_the_page_does_not_scroll_sideways(
    open_page: Open, axe: Axe, part: str, width: int, scheme: str
) -> None:
    lang = "zh" if scheme == "light" else "en"
    page = open_page(at("R45", lang=lang, view="explore", part=part), width=width, color_scheme=scheme)
    page.locator(".part-content .cell").first.wait_for()
    assert axe(page) == []
    assert fits_across(page)


def test_a_link_of_the_page_opens_what_the_service_computes(open_page: Open, ask: Ask) -> None:
    page: Page = open_page(at("R45", lang="en"))
    links = [
        link
        for section in ask("/lectures/R45?lang=en")["sections"]
        for part in section["parts"]
        for link in part["links"]
        if link["href"].startswith("/block/")
    ]
    assert links
    for link in links:
        page.locator(".links").get_by_role("link", name=link["label"]).first.click()
        page.locator(".part-content .cell").first.wait_for()
        page.go_back()
        page.locator(".section").first.wait_for()


def test_of_a_large_step_a_readable_part_is_shown_and_the_caption_says_so(open_page: Open) -> None:
    request = {"block": {"d_model": 48, "n_heads": 2, "d_ff": 8}, "seed": 1, "x": [[0.5] * 48] * 40}
    page = open_page(at("R44", lang="en", view="explore", step="x", request=request))
    page.locator(".look caption", has_text="(32×32 / 40×48)").wait_for()
    assert page.locator(".look .cell").count() == 32 * 32


def test_the_focus_stays_on_what_was_used(open_page: Open) -> None:
    page = open_page(at("R44", lang="en"))
    focused = "() => document.activeElement.shadowRoot.activeElement?.textContent"
    for name in ("Explore", "Jacobian"):
        page.get_by_role("link", name=name).focus()
        page.keyboard.press("Enter")
        page.get_by_role("link", name=name).and_(page.locator("[aria-current]")).wait_for()
        assert page.evaluate(focused) == name
    page.locator(".matrices .cell").first.wait_for()
    page.get_by_label("Token of the input").focus()
    page.keyboard.press("ArrowDown")
    page.locator(".matrices table").nth(1).locator(".cell[title='0']").nth(15).wait_for()
    chosen = page.get_by_label("Token of the input")
    assert chosen.evaluate("each => each === each.getRootNode().activeElement")
    assert chosen.input_value() == "1"
    page.get_by_role("button", name="中文").focus()
    page.keyboard.press("Enter")
    page.locator("html[lang=zh-CN]").wait_for()
    assert page.evaluate(focused) == "中文"


def test_the_readers_own_numbers_can_be_explored(open_page: Open, ask: Ask) -> None:
    patch = {"x": [[2, 0, 1, 0]], "block": {"epsilon": 0.1}}
    page = open_page(at("R44", "b3", lang="en", patch=patch))
    page.locator(".panel.shown .changed").first.wait_for()
    page.get_by_role("link", name="Explore").click()
    page.locator(".look .cell").first.wait_for()
    (output,) = ask("/block/trace", {"example": "lecture-05", **patch, "select": ["output"]})["steps"]
    assert exact(page.locator(".look .cell")) == flat(output["value"])
    page.get_by_role("link", name="What if").click()
    page.locator(".panel.shown .changed").first.wait_for()
