"""LaTeX -> MathML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from blockwalk_client import Client
from blockwalk_client.mathml import Unknown, mathml

BLOCKS = [
    {
        "kind": kind, "norm": norm, "activation": activation, "position": position,
        "n_heads": 2, "n_kv_heads": 1, "d_ff": 6, **extra,
    }
    for kind in ("encoder", "decoder")
    for norm in ("layer_norm", "rms_norm")
    for activation in ("relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu", "reglu")
    for position, extra in (
        (None, {}),
        ({"rope": {"theta": 10000, "layout": "half"}}, {"softcap": 5, "mask": "causal"}),
        ({"alibi": True}, {"dropout": 0.1, "window": 2}),
    )
]  # fmt: skip


def inner(latex: str) -> str:
    return mathml(latex).removeprefix('<math displaystyle="true">').removesuffix("</math>")


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("x", "<mi>x</mi>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\sigma^2", "<msup><mi>σ</mi><mn>2</mn></msup>"),
        ("W_{1}", "<msub><mi>W</mi><mn>1</mn></msub>"),
        ("r_{k}^2", "<msubsup><mi>r</mi><mi>k</mi><mn>2</mn></msubsup>"),
        (r"\sum_k r", "<munder><mo>∑</mo><mi>k</mi></munder><mi>r</mi>"),
        (r"a - b", "<mi>a</mi><mo>−</mo><mi>b</mi>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        (r"\left|i\right|", '<mo stretchy="true">|</mo><mi>i</mi><mo stretchy="true">|</mo>'),
        (r"\hat{x}", '<mover accent="true"><mi>x</mi><mo stretchy="false">^</mo></mover>'),
        (r"\operatorname{ReLU}", '<mi mathvariant="normal">ReLU</mi>'),
        (r"e^{x y}", "<msup><mi>e</mi><mrow><mi>x</mi><mi>y</mi></mrow></msup>"),
    ],
)
def test_a_formula_becomes_its_elements(latex: str, expected: str) -> None:
    assert inner(latex) == expected


@pytest.mark.parametrize(
    "latex", [r"\begin{pmatrix}", "{x", "x}", "x_1_2", r"\frac{a}", r"\operatorname x", "&"]
)
def test_what_is_not_known_is_refused(latex: str) -> None:
    with pytest.raises(Unknown, match=r".+"):
        mathml(latex)


def test_every_formula_of_every_kind_of_block_is_known(client: Client) -> None:
    x = [[1, 0, 2, 0], [0, 1, 0, 1]]
    seen = set()
    for block in BLOCKS:
        request = {"x": x, "memory": x, "seed": 1, "block": block}
        if block["kind"] == "encoder":
            del request["memory"]
        for step in client.plan(request)["steps"]:
            seen |= {step["latex"], step["symbol"]}
    assert len(seen) > 60
    for latex in seen:
        ET.fromstring(mathml(latex))
