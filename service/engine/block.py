"""The wiring: what feeds what, in the order in which the papers write it.

Post-norm is the block of Vaswani et al. 2017 (section 3.1), pre-norm that of Xiong et al. 2020 (figure 1b);
both use the same names. Scores come from section 3.2.1 (equation 1), the feed-forward network from
section 3.3 (equation 2), its gated forms from Shazeer 2020 (equations 5 and 6).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .activations import ACTIVATION_OPS
from .config import Alibi, BlockConfig, Rope
from .graph import Graph
from .ops import (
    ADD,
    ALIBI,
    DOT_PRODUCT,
    DROPOUT,
    GAIN,
    GAIN_AND_SHIFT,
    LINEAR,
    MASK,
    MEAN,
    MEAN_SQUARE,
    MERGE_HEADS,
    MULTIPLY,
    PROJECT_HEADS,
    RMS_STANDARDIZE,
    ROTARY,
    SCALE,
    SOFTCAP,
    SOFTMAX,
    STANDARDIZE,
    VARIANCE,
    WEIGHTED_SUM,
)
from .parameters import affine, gain_only, gain_with_shift


class Wiring:
    """One block being put together: the graph so far, the choices, and the seed that dropout draws from."""

    def __init__(self, config: BlockConfig, seed: int | None) -> None:
        self.graph, self.config, self.seed = Graph(), config, seed
        self.x = self.graph.leaf("x", "token", "d_model", kind="given", symbol="x")
        if config.kind == "decoder":
            self.memory = self.graph.leaf("memory", "memory", "d_model", kind="given", symbol="m")

    # -- the block --------------------------------------------------------------------------------

    def post_norm(self, x: str) -> str:
        """Add, then normalise: u = LN(x + MHA(x)), z = LN(u + FFN(u))."""
        r = self.residual("residual_1", x, self.attention("attention", x, x), "r")
        u = self.norm("norm_1", r, "u")
        if self.config.kind == "encoder":
            s = self.residual("residual_2", u, self.feed_forward("ffn", u), "s")
            return self.norm("norm_2", s, "z")
        t = self.residual("residual_2", u, self.attention("cross_attention", u, self.memory), "t")
        v = self.norm("norm_2", t, "v")
        s = self.residual("residual_3", v, self.feed_forward("ffn", v), "s")
        return self.norm("norm_3", s, "z")

    def pre_norm(self, x: str) -> str:
        """Normalise inside the branch, add to the raw input: r = x + MHA(LN(x)), s = r + FFN(LN(r))."""
        n = self.norm("norm_1", x, "n")
        r = self.residual("residual_1", x, self.attention("attention", n, n), "r")
        u = self.norm("norm_2", r, "u")
        if self.config.kind == "encoder":
            return self.residual("residual_2", r, self.feed_forward("ffn", u), "s")
        t = self.residual("residual_2", r, self.attention("cross_attention", u, self.memory), "t")
        v = self.norm("norm_3", t, "v")
        return self.residual("residual_3", t, self.feed_forward("ffn", v), "s")

    # -- its parts --------------------------------------------------------------------------------

    def residual(self, name: str, x: str, update: str, symbol: str) -> str:
        return self.graph.step(name, ADD, x, update, symbol=symbol)

    def attention(self, scope: str, x: str, source: str) -> str:
        """Multi-head attention of x over `source`: concat(softmax(Q Kᵀ / √d_head) V) W_O + b_O."""
        g, c = self.graph, self.config
        n_heads, n_kv_heads = c.n_heads or 1, c.n_kv_heads or c.n_heads or 1
        self_attention = scope == "attention"

        q = self.heads(scope, "query", "Q", x, n_heads)
        k = self.heads(scope, "key", "K", source, n_kv_heads)
        v = self.heads(scope, "value", "V", source, n_kv_heads)
        if self_attention and isinstance(c.position, Rope):
            turn: dict[str, Any] = {"layout": c.position.layout, "theta": c.position.theta}
            q = g.step(f"{scope}.query_rotated", ROTARY, q, symbol=r"\tilde{Q}", **turn)
            k = g.step(f"{scope}.key_rotated", ROTARY, k, symbol=r"\tilde{K}", **turn)

        s = g.step(f"{scope}.scores", DOT_PRODUCT, q, k, axes=("head", "query", "key"), symbol="S")
        by_root = r"\frac{{0}}{\sqrt{d_{\mathrm{head}}}}" if c.scale is None else None
        s = g.step(f"{scope}.scaled_scores", SCALE, s, symbol=r"\hat{S}", latex=by_root, scale=self.scale())
        if c.softcap is not None:
            s = g.step(f"{scope}.capped_scores", SOFTCAP, s, symbol=r"S^{\mathrm{cap}}", softcap=c.softcap)
        if self_attention and isinstance(c.position, Alibi):
            s = g.step(
                f"{scope}.biased_scores", ALIBI, s, symbol=r"S^{\mathrm{bias}}", alignment=c.causal_alignment
            )
        if self_attention and c.masked:
            s = self.masked(scope, s)

        a = g.step(f"{scope}.weights", SOFTMAX, s, symbol="A")
        a = self.dropout(f"{scope}.dropped_weights", a, r"\tilde{A}")
        h = g.step(f"{scope}.head_outputs", WEIGHTED_SUM, a, v, axes=("head", "query", "d_head"), symbol="H")
        m = g.step(f"{scope}.concat", MERGE_HEADS, h, axes=("token", "concat"), symbol="C")
        o = g.step(
            f"{scope}.output",
            LINEAR,
            m,
            *affine(g, scope, "o", ("concat", "d_model"), "O"),
            axes=("token", "d_model"),
            symbol="O",
        )
        return self.dropout(f"{scope}.dropped", o, r"\tilde{O}")

    def heads(self, scope: str, what: str, symbol: str, rows: str, n: int) -> str:
        head, out, token = ("head", "concat", "query") if what == "query" else ("kv_head", "kv_concat", "key")
        w_b = affine(self.graph, scope, what[0], ("d_model", out), symbol)
        return self.graph.step(
            f"{scope}.{what}", PROJECT_HEADS, rows, *w_b, axes=(head, token, "d_head"), symbol=symbol, n=n
        )

    def scale(self) -> float:
        """1/√d_head unless given; 1 where nothing tells d_head (the plan then warns)."""
        c = self.config
        return c.scale if c.scale is not None else (c.d_head or 1) ** -0.5

    def masked(self, scope: str, scores: str) -> str:
        g, c = self.graph, self.config
        additive = g.leaf("mask.additive", "head", "query", "key", kind="mask", symbol="M", initial=0.0)
        keep = g.leaf("mask.keep", "head", "query", "key", kind="mask", symbol="M", initial=1.0)
        return g.step(
            f"{scope}.masked_scores",
            MASK,
            scores,
            additive,
            keep,
            symbol=r"S^{\mathrm{mask}}",
            causal=c.mask is not None and c.mask.causal,
            window=c.window,
            alignment=c.causal_alignment,
        )

    def norm(self, scope: str, x: str, symbol: str) -> str:
        """LayerNorm γ ⊙ (x − μ)/√(σ² + ε) + β, or RMSNorm γ ⊙ x/√(mean square + ε), a step a part."""
        g, epsilon = self.graph, self.config.epsilon
        if self.config.norm == "rms_norm":
            q = g.step(f"{scope}.mean_square", MEAN_SQUARE, x, axes=("token",), symbol=r"\overline{x^2}")
            y = g.step(f"{scope}.normalized", RMS_STANDARDIZE, x, q, symbol=r"\hat{x}", epsilon=epsilon)
            return g.step(f"{scope}.output", GAIN, y, gain_only(g, scope), symbol=symbol)
        mu = g.step(f"{scope}.mean", MEAN, x, axes=("token",), symbol=r"\mu")
        var = g.step(f"{scope}.variance", VARIANCE, x, mu, axes=("token",), symbol=r"\sigma^2")
        y = g.step(f"{scope}.normalized", STANDARDIZE, x, mu, var, symbol=r"\hat{x}", epsilon=epsilon)
        return g.step(f"{scope}.output", GAIN_AND_SHIFT, y, *gain_with_shift(g, scope), symbol=symbol)

    def feed_forward(self, scope: str, x: str) -> str:
        """f(x W₁ + b₁) W₂ + b₂, or gated: (f(x W_gate) ⊙ x W_up) W_down."""
        g, activation = self.graph, ACTIVATION_OPS[self.config.activation]
        inner, outer = ("token", "d_ff"), ("token", "d_model")
        if self.config.gated:
            gate = affine(g, scope, "gate", ("d_model", "d_ff"), "gate")
            up = affine(g, scope, "up", ("d_model", "d_ff"), "up")
            p = g.step(f"{scope}.gate", LINEAR, x, *gate, axes=inner, symbol="p")
            q = g.step(f"{scope}.up", LINEAR, x, *up, axes=inner, symbol="q")
            a = g.step(f"{scope}.activated_gate", activation, p, symbol="a")
            h = g.step(f"{scope}.hidden", MULTIPLY, a, q, symbol="h")
            down = affine(g, scope, "down", ("d_ff", "d_model"), "down")
        else:
            widen = affine(g, scope, "1", ("d_model", "d_ff"), "1")
            p = g.step(f"{scope}.pre_activation", LINEAR, x, *widen, axes=inner, symbol="p")
            h = g.step(f"{scope}.hidden", activation, p, symbol="h")
            down = affine(g, scope, "2", ("d_ff", "d_model"), "2")
        h = self.dropout(f"{scope}.dropped_hidden", h, r"\tilde{h}")
        f = g.step(f"{scope}.output", LINEAR, h, *down, axes=outer, symbol="f")
        return self.dropout(f"{scope}.dropped", f, r"\tilde{f}")

    def dropout(self, name: str, values: str, symbol: str) -> str:
        """Dropout is a step of its own where there is any, and no step where there is none."""
        if not self.config.dropout:
            return values
        return self.graph.step(
            name,
            DROPOUT,
            values,
            symbol=symbol,
            rate=self.config.dropout,
            seed=self.seed or 0,
            stream=name,
        )


def wire(config: BlockConfig, seed: int | None = None) -> Graph:
    """Return the graph of a block. The seed matters only to dropout; equal choices share one graph."""
    return _wire(Choices(config), seed if config.dropout else None)


class Choices:
    """A block's choices, equal where graphs are: all but the numbers in its masks."""

    __slots__ = ("config", "key")

    def __init__(self, config: BlockConfig) -> None:
        self.config, self.key = config.emptied(), config.key()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choices) and self.key == other.key


@lru_cache(maxsize=256)
def _wire(choices: Choices, seed: int | None) -> Graph:
    wiring = Wiring(choices.config, seed)
    placed = wiring.post_norm if choices.config.norm_placement == "post" else wiring.pre_norm
    wiring.graph.output = placed(wiring.x)
    return wiring.graph
