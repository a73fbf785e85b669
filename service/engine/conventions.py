"""What every answer states, so that no number needs a footnote."""

from __future__ import annotations

CONVENTIONS = {
    "variance": "population",
    "epsilon": "inside_root",
    "softmax": "over_keys",
    "scale": "1/sqrt(d_head) unless given",
    "mask_order": "softcap, then position bias, then mask, then softmax",
    "mask_polarity": "true = may attend",
    "fully_masked_row": "zero weights and a warning",
    "window": "counts the token itself",
    "causal_alignment": "top_left unless asked",
    "cross_attention": "mask, window, key_padding_keep and position apply to self-attention only",
    "parameters": "[in, out], x multiplies from the left: x W + b",
    "rope_layout": "half unless asked",
    "kv_heads": "repeat in place (0,0,1,1)",
    "gelu": "erf form; gelu_tanh is the approximation",
    "dropout": "off unless a rate and a seed are given",
    "seed": "PCG64(SeedSequence(seed, spawn_key=bytes of the name)), normal, std 1/sqrt(fan_in)",
    "statistics": "mean, variance and mean square are kept in float64 whatever the dtype",
}
