/** The LaTeX that the engine's formulas are written in, as MathML. What it does not know it shows as written. */

import { h } from "./dom.js";
import { element } from "./mathml.js";

const SYMBOLS = /** @type {Record<string, string>} */ ({
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", varepsilon: "ε", epsilon: "ϵ", theta: "θ", lambda: "λ", mu: "μ",
  pi: "π", sigma: "σ", tau: "τ", phi: "φ", omega: "ω",
  Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Phi: "Φ", Sigma: "Σ", Omega: "Ω", infty: "∞", ldots: "…", cdots: "⋯", top: "⊤", ell: "ℓ",
});
const OPERATORS = /** @type {Record<string, string>} */ ({
  odot: "⊙", cdot: "⋅", times: "×", pm: "±", le: "≤", leq: "≤", ge: "≥", geq: "≥", neq: "≠", in: "∈", to: "→",
  sum: "∑", prod: "∏", partial: "∂", mid: "∣", oplus: "⊕", approx: "≈", lfloor: "⌊", rfloor: "⌋", Vert: "‖", _: "_",
});
const ACCENTS = /** @type {Record<string, string>} */ ({ hat: "^", tilde: "~", overline: "¯", bar: "¯", vec: "→" });
const SPACES = /** @type {Record<string, string>} */ ({ ",": "0.17em", ";": "0.28em", ":": "0.22em", " ": "0.3em", quad: "1em", "!": "-0.17em" });
const FUNCTIONS = new Set(["tanh", "exp", "log", "max", "min", "cos", "sin", "softmax"]);

/**
 * @param {string} latex
 * @param {{ inline?: boolean }} [options]
 */
export function mathFromLatex(latex, { inline = false } = {}) {
  const math = element("math", ...new Reader(latex).everything());
  if (!inline) math.setAttribute("display", "block");
  return math;
}

/** A symbol as lectures give it: LaTeX, or the letters themselves. @param {string} symbol */
export function symbolOf(symbol) {
  return /[\\_^{]/.test(symbol) ? mathFromLatex(symbol, { inline: true }) : h("i", { class: "symbol" }, symbol);
}

/** Reads one formula from left to right. */
class Reader {
  /** @param {string} latex */
  constructor(latex) {
    this.tokens = latex.match(/\\[A-Za-z]+|\\.|[A-Za-z]|\d+(?:\.\d+)?|\S/g) ?? [];
    this.at = 0;
  }

  everything() {
    return this.row(() => this.at >= this.tokens.length);
  }

  /** @param {() => boolean} ended */
  row(ended) {
    /** @type {MathMLElement[]} */
    const parts = [];
    while (this.at < this.tokens.length && !ended()) {
      const part = this.scripted();
      if (part) parts.push(part);
    }
    return parts;
  }

  /** An atom with what stands above and below it. */
  scripted() {
    const base = this.atom();
    if (!base) return undefined;
    /** @type {Record<string, MathMLElement>} */
    const scripts = {};
    for (let mark = this.tokens[this.at]; mark === "^" || mark === "_" || mark === "'"; mark = this.tokens[this.at]) {
      this.at += 1;
      scripts[mark === "_" ? "_" : "^"] = mark === "'" ? element("mo", "′") : this.argument();
    }
    const { _: below, "^": above } = scripts;
    const stacked = base.textContent === "∑" || base.textContent === "∏";
    if (below && above) return element(stacked ? "munderover" : "msubsup", base, below, above);
    if (below) return element(stacked ? "munder" : "msub", base, below);
    return above ? element(stacked ? "mover" : "msup", base, above) : base;
  }

  /** @returns {MathMLElement | undefined} */
  atom() {
    const token = this.tokens[this.at] ?? "";
    if (token === "{") return this.argument();
    this.at += 1;
    if (token.startsWith("\\")) return this.command(token.slice(1));
    if (/\d/.test(token)) return element("mn", token);
    if (/\p{L}/u.test(token)) return element("mi", token);
    return element("mo", token === "-" ? "−" : token);
  }

  /** What a command or a script takes: a group in braces, or the next atom alone. */
  argument() {
    if (this.tokens[this.at] !== "{") return this.digit() ?? this.atom() ?? element("mrow");
    this.at += 1;
    const inside = this.row(() => this.tokens[this.at] === "}");
    this.at += 1;
    return inside.length === 1 && inside[0] ? inside[0] : element("mrow", ...inside);
  }

  /** `\frac12` takes one digit at a time. */
  digit() {
    const token = this.tokens[this.at] ?? "";
    if (!/^\d{2,}$/.test(token)) return undefined;
    this.tokens.splice(this.at, 1, token.slice(0, 1), token.slice(1));
    return this.atom();
  }

  /** The text of a group, letters and all. */
  words() {
    const from = (this.at += 1);
    while (this.at < this.tokens.length && this.tokens[this.at] !== "}") this.at += 1;
    this.at += 1;
    return this.tokens.slice(from, this.at - 1).join("").replaceAll("\\_", "_").replaceAll("\\", "");
  }

  /**
   * @param {string} name
   * @returns {MathMLElement | undefined}
   */
  command(name) {
    if (name === "frac" || name === "tfrac" || name === "dfrac") return element("mfrac", this.argument(), this.argument());
    if (name === "sqrt") return element("msqrt", this.argument());
    if (name === "operatorname" || name === "mathrm" || name === "text") return upright(this.words());
    if (name === "mathbf" || name === "boldsymbol") return this.argument();
    if (name === "left") return this.fenced();
    if (name in ACCENTS) return accented(this.argument(), ACCENTS[name] ?? "");
    if (name in SPACES) return space(SPACES[name] ?? "0");
    if (FUNCTIONS.has(name)) return upright(name);
    if (name in SYMBOLS) return element("mi", SYMBOLS[name] ?? "");
    if (name in OPERATORS) return element("mo", OPERATORS[name] ?? "");
    return /^[A-Za-z]+$/.test(name) ? element("mtext", `\\${name}`) : element("mo", name);
  }

  fenced() {
    const opening = this.atom() ?? element("mrow");
    const inside = this.row(() => this.tokens[this.at] === "\\right");
    this.at += 1;
    const closing = this.atom() ?? element("mrow");
    return element("mrow", opening, ...inside, closing);
  }
}

/** @param {string} words */
function upright(words) {
  const made = element("mi", words);
  made.setAttribute("mathvariant", "normal");
  return made;
}

/**
 * @param {MathMLElement} base
 * @param {string} mark
 */
function accented(base, mark) {
  const made = element("mover", base, element("mo", mark));
  made.setAttribute("accent", "true");
  return made;
}

/** @param {string} width */
function space(width) {
  const made = element("mspace");
  made.setAttribute("width", width);
  return made;
}
