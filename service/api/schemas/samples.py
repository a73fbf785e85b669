"""Requests that the document shows and the tests send."""

from __future__ import annotations

from typing import Any


def sample(summary: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"summary": summary, "value": value}


TRACE = {
    "lecture": sample(
        "The first sum and the first normalisation of the lecture's example",
        {"example": "lecture-05", "select": ["residual_1", "norm_1.output"], "tokens": [0]},
    ),
    "own_numbers": sample(
        "Causal attention over three tokens; the weights are drawn from a seed",
        {
            "block": {"n_heads": 2, "d_ff": 8, "mask": "causal"},
            "seed": 7,
            "x": [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]],
            "select": ["attention.masked_scores", "attention.weights"],
        },
    ),
    "what_if": sample(
        "The same block with its attention zeroed",
        {
            "example": "lecture-05",
            "interventions": [{"step": "attention.output", "set": 0}],
            "select": ["output"],
        },
    ),
}
COMPARE = {
    "placements": sample(
        "Post-norm against pre-norm",
        {
            "base": {"example": "lecture-05-reconstructed", "select": ["output"]},
            "variants": {"pre_norm": {"block": {"norm_placement": "pre"}}},
        },
    )
}
GRADIENT = {
    "through_the_block": sample(
        "How the output follows the input",
        {"trace": {"example": "lecture-05-reconstructed"}, "of": "norm_2.output", "wrt": ["x"]},
    )
}
JACOBIAN = {
    "direct_path": sample(
        "The direct path alone: attention held fixed",
        {
            "trace": {"example": "lecture-05-reconstructed"},
            "of": "residual_1", "of_token": 0, "wrt": "x", "wrt_token": 0, "stop": ["attention.output"],
        },
    )
}  # fmt: skip
STATE = {
    "epsilon": sample("A larger ε", {"block": {"epsilon": 0.1}}),
    "another_input": sample("Another x₁", {"x": [[0, 2, 0, 1]]}),
}
