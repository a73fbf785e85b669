"""What the course prints on the pages R44 and R45, to the letter: headings, labels, rows, order, notes."""

from __future__ import annotations

from typing import Any

import pytest

from service.lectures import Catalogue, pages

from .conftest import State

STATES = [(lecture, state) for lecture in ("R44", "R45") for state in ("b0", "b1", "b2", "b3", "b4", "b5")]
PATCHES: dict[str, Any] = {"published": None, "reconstructed": {"example": "lecture-05-reconstructed"}}

HEADINGS = {
    ("R44", "concept"): "同一个 token：保留 x，学习修正 Δ",
    ("R44", "numbers"): "原始 post-norm · 继续追踪第一个 token",
    ("R45", "concept"): "拿到内容以后，在每个位置内重新加工",
    ("R45", "numbers"): "接上页 u = (1.171, 0.650, −0.385, −1.435)",
}
O_1 = ("双头输出 O₁", ["1", "1.599", "−0.198", "−0.006"])
X_1 = ("原输入 x₁", ["1", "0", "1", "0"])
R_1 = ("+ 残差 r₁ = x₁+O₁", ["2", "1.599", "0.802", "−0.006"])
U_1 = ("u₁", ["1.171", "0.650", "−0.385", "−1.435"])
HIDDEN = ("W₁：4→6，偏置0；再 ReLU", ["1.171", "0.650", "0", "0", "0.521", "0"])
F = ("W₂：6→4 → f", ["0.585", "0.325", "0.130", "0"])
SUM = ("第二次残差 u+f", ["1.756", "0.974", "−0.255", "−1.435"])
Z = ("第二次 LN → z", ["1.233", "0.589", "−0.425", "−1.397"])
ROWS = {
    ("R44", "b0"): [O_1, X_1],
    ("R44", "b1"): [O_1, X_1, R_1],
    ("R44", "b2"): [O_1, X_1, R_1],
    ("R44", "b3"): [O_1, X_1, R_1, U_1],
    ("R45", "b0"): [HIDDEN],
    ("R45", "b1"): [HIDDEN, F],
    ("R45", "b2"): [HIDDEN, F, SUM, Z],
    ("R45", "b3"): [HIDDEN, F, SUM, Z],
}
NEW_ROWS = {
    ("R44", "b0"): 2,
    ("R44", "b1"): 1,
    ("R44", "b2"): 0,
    ("R44", "b3"): 1,
    ("R45", "b0"): 1,
    ("R45", "b1"): 1,
    ("R45", "b2"): 2,
    ("R45", "b3"): 0,
}
TEXT = {
    "R44": [
        "O₁ = (1.000000, 1.598888, −0.197776, −0.005560)",
        "x₁ = (1, 0, 1, 0)",
        "r₁ = (2.000000, 1.598888, 0.802224, −0.005560)",
        "μ = 1.098888",
        "σ² = 0.592455",
        "u₁ ≈ (1.170705, 0.649589, −0.385419, −1.434875)",
        "ε = 10⁻⁵",
    ],
    "R45": [
        "(u₁, u₂, u₃, u₄, u₁−u₂, u₂−u₁)",
        "(1.170705, 0.649589, 0, 0, 0.521116, 0)",
        "f = (0.5h₁, 0.5h₂, 0.5h₃+0.25h₅, 0.5h₄+0.25h₆) = (0.585353, 0.324795, 0.130279, 0)",
        "u + f = (1.756058, 0.974384, −0.255140, −1.434875)",
        "z ≈ (1.233154, 0.588798, −0.424732, −1.397220)",
    ],
}


@pytest.mark.parametrize(("lecture", "name"), STATES)
def test_every_state_has_the_heading_of_the_course(state: State, lecture: str, name: str) -> None:
    shown = state(lecture, name)
    assert shown["kind"] == ("concept" if name in ("b4", "b5") else "numbers")
    assert shown["figure"]["heading"] == HEADINGS[lecture, shown["kind"]]


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize(("lecture", "name"), ROWS)
def test_every_row_is_printed_as_on_the_page(state: State, lecture: str, name: str, patch: Any) -> None:
    rows = state(lecture, name, "zh", patch)["figure"]["rows"]
    assert [(row["label"], row["printed"]) for row in rows] == ROWS[lecture, name]


@pytest.mark.parametrize(("lecture", "name"), NEW_ROWS)
def test_only_what_a_state_adds_is_new(state: State, lecture: str, name: str) -> None:
    new = [row["new"] for row in state(lecture, name)["figure"]["rows"]]
    assert new == [False] * (len(new) - NEW_ROWS[lecture, name]) + [True] * NEW_ROWS[lecture, name]


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize(("name", "new"), [("b2", True), ("b3", False)])
def test_mean_and_variance_belong_to_the_row_after_the_sum(
    state: State, name: str, new: bool, patch: Any
) -> None:
    figure = state("R44", name, "zh", patch)["figure"]
    assert [(each["symbol"], each["printed"], each["new"]) for each in figure["statistics"]] == [
        ("μ", "1.098888", new),
        ("σ²", "0.592455", new),
    ]
    assert {each["label"] for each in figure["statistics"]} == {"同一行四个特征"}
    assert [each["text"] for each in figure["formulas"]] == ["LN(r) = γ ⊙ (r−μ) / √(σ²+ε) + β"]


@pytest.mark.parametrize("name", ["b0", "b1", "b2", "b3"])
def test_the_settings_stand_under_every_numbers_figure(state: State, name: str) -> None:
    assert "本例：ε=10⁻⁵，γ=1，β=0；dropout 关闭" in state("R44", name)["figure"]["notes"]


def test_the_hidden_terms_are_told_beside_their_row(state: State) -> None:
    assert "隐藏项：u₁, u₂, u₃, u₄, u₁−u₂, u₂−u₁；负值变0" in state("R45", "b0")["figure"]["notes"]


def test_the_division_of_labour_is_told_at_the_end(state: State) -> None:
    note = "attention 跨位置混合；同一个 FFN 在每个位置内部变换通道"
    assert note in state("R45", "b3")["figure"]["notes"]
    assert note not in state("R45", "b2")["figure"]["notes"]


def test_x_keeps_a_direct_path_and_the_update_joins_it(state: State) -> None:
    figure = state("R44", "b4")["figure"]
    assert [(node["id"], node["label"]) for node in figure["nodes"]] == [
        ("x", "x"),
        ("update", "attention Δ"),
        ("plus", "+"),
    ]
    assert [(edge["from"], edge["to"], edge["role"]) for edge in figure["edges"]] == [
        ("x", "plus", "direct"),
        ("update", "plus", "update"),
    ]
    assert "L2" in figure["notes"][0]
    assert not figure["rows"]


def test_the_norm_comes_after_the_sum_and_says_which_axis_it_crosses(state: State) -> None:
    figure = state("R44", "b5")["figure"]
    assert [node["label"] for node in figure["nodes"] if node["new"]] == ["LayerNorm"]
    assert [(edge["from"], edge["to"]) for edge in figure["edges"] if edge["new"]] == [("plus", "layer_norm")]
    assert {"同一行：对特征维求均值与方差", "每个位置独立归一化"} <= set(figure["notes"])


def test_both_positions_have_a_lane_and_no_edge_crosses(state: State) -> None:
    figure = state("R45", "b5")["figure"]
    assert [lane["label"] for lane in figure["lanes"]] == ["位置 i", "位置 j"]
    lane = {node["id"]: node["lane"] for node in figure["nodes"]}
    labels = {"FFN：线性 → 非线性 → 线性", "残差 + Norm"}
    assert {(node["lane"], node["label"]) for node in figure["nodes"]} == {
        (each, label) for each in ("i", "j") for label in labels
    }
    assert figure["edges"]
    assert all(lane[edge["from"]] == lane[edge["to"]] for edge in figure["edges"])
    assert "共享同一组 FFN 参数；不新增位置之间的读取边" in figure["notes"]


@pytest.mark.parametrize("lecture", ["R44", "R45"])
def test_a_page_opens_on_b4_and_is_read_from_there(catalogue: Catalogue, lecture: str) -> None:
    page = pages.lecture(catalogue, lecture, "zh")
    assert page["default_state"] == "b4"
    assert page["reading_order"] == page["page_order"] == ["b4", "b5", "b0", "b1", "b2", "b3"]
    assert [each["id"] for each in page["states"]] == page["page_order"]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    ("lecture", "words"), [(each, word) for each, words in TEXT.items() for word in words]
)
def test_the_text_quotes_six_decimals(catalogue: Catalogue, lecture: str, words: str, lang: str) -> None:
    page = pages.lecture(catalogue, lecture, lang)
    text = "\n".join(
        words for each in page["sections"] for part in each["parts"] for words in part["paragraphs"]
    )
    assert words in text


@pytest.mark.parametrize("lecture", ["R44", "R45"])
def test_the_sections_are_those_of_the_course(catalogue: Catalogue, lecture: str) -> None:
    page = pages.lecture(catalogue, lecture, "zh")
    assert [each["title"] for each in page["sections"]] == ["公式与算例详情", "参考与采用", "继续学习"]
    assert "M27" in page["references"][0]["text"]
    assert any("LAB 03" in each["title"] for each in page["further_reading"])
