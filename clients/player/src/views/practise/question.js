/** One thing asked for: boxes in the shape of the answer, and a verdict on every number in them. */

import { freshId, h, replace } from "../../dom.js";
import { mathFromLatex } from "../../latex.js";
import { parse } from "../../numbers.js";
import { axisNames } from "../explore/axes.js";

/**
 * @typedef {import("../../../../js/src/grading-types.js").AskedFor} AskedFor
 * @typedef {import("../../../../js/src/grading-types.js").Verdict} Verdict
 * @typedef {import("../../../../js/src/grading-types.js").AnswerList} AnswerList
 * @typedef {import("../../words.js").Words} Words
 *
 * @param {AskedFor} asked
 * @param {Words} words
 */
export function createQuestion(asked, words) {
  const columns = asked.shape.at(-1) ?? 1;
  const count = asked.shape.reduce((product, size) => product * size, 1);
  const said = freshId("verdict");
  const boxes = Array.from({ length: count }, (_, i) => box(i));
  const verdict = h("div", { class: "verdict", id: said, role: "status" });
  const rows = Array.from({ length: count / columns }, (_, row) => boxes.slice(row * columns, (row + 1) * columns));
  const grid = h(
    "div",
    { class: `grid${rows.length > 1 ? " labelled" : ""}` },
    rows.flatMap((row, i) => [rows.length > 1 && h("span", { class: "row-name" }, rowName(i * columns)), ...row.map(({ element }) => element)]),
  );
  grid.style.setProperty("--columns", String(columns));
  const element = h(
    "fieldset",
    { class: "question" },
    h("legend", {}, asked.label, " ", mathFromLatex(asked.symbol, { inline: true })),
    grid,
    verdict,
  );
  const isFilled = () => boxes.some(({ input }) => input.value.trim() !== "");
  const isComplete = () => boxes.every(({ input }) => input.value.trim() !== "");
  const answer = () => /** @type {AnswerList} */ (shaped(boxes.map(({ input }) => input.value.trim()), asked.shape));

  return {
    element,
    asked,
    isFilled,
    isComplete,
    answer,
    /**
     * Judged on the right numbers; if that fails, on the reader's own for what comes before, whichever is kinder.
     * @param {import("../../../../js/src/index.js").Client} client
     * @param {Record<string, AnswerList>} carried
     * @param {"zh" | "en"} lang
     */
    async check(client, carried, lang) {
      for (const each of boxes) mark(each, undefined);
      if (!isComplete()) return replace(verdict, h("p", { class: "bad" }, words.fillAll));
      const unread = boxes.filter(({ input }) => parse(input.value) === undefined);
      for (const each of unread) each.input.setAttribute("aria-invalid", "true");
      if (unread.length) return replace(verdict, h("p", { class: "bad" }, words.notNumber));
      const body = /** @type {import("../../../../js/src/grading-types.js").CheckRequest} */ ({ ...asked.check, answer: answer() });
      try {
        let result = await client.check(body, { lang });
        let own = false;
        if (!result.correct && Object.keys(carried).length) {
          const kinder = await client.check({ ...body, carried }, { lang });
          own = kinder.score > result.score;
          if (own) result = kinder;
        }
        const flags = flattened(result.elements);
        boxes.forEach((each, i) => mark(each, flags[i]));
        replace(verdict, inWords(result, flags, own));
      } catch (error) {
        replace(verdict, h("p", { class: "bad" }, error instanceof Error ? error.message : String(error)));
      }
    },
  };

  /** What the row of the i-th number is, by the axes that have more than one index. @param {number} i */
  function rowName(i) {
    const name = axisNames(words);
    const leading = indices(i, asked.shape).slice(0, -1);
    return leading.flatMap((index, axis) => ((asked.shape[axis] ?? 1) > 1 ? [name(asked.axes[axis] ?? "", index)] : [])).join(" · ");
  }

  /** @param {number} i */
  function box(i) {
    const place = indices(i, asked.shape).map((index, axis) => axisNames(words)(asked.axes[axis] ?? "", index));
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": [asked.label, ...place].join(", "),
      "aria-describedby": said,
      oninput: () => mark({ input, sign, element: holder }, undefined),
    });
    const sign = h("span", { class: "sign" });
    const holder = h("span", { class: "box" }, input, sign);
    return { input, sign, element: holder };
  }

  /**
   * Never by colour alone: a sign for those who see it, a word for those who hear it.
   * @param {{ input: HTMLInputElement, sign: HTMLElement, element: HTMLElement }} of
   * @param {boolean | undefined} right
   */
  function mark({ input, sign, element: holder }, right) {
    holder.classList.toggle("right", right === true);
    holder.classList.toggle("wrong", right === false);
    if (right === false) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    replace(sign, ...(right === undefined ? [] : [h("span", { "aria-hidden": "true" }, right ? "✓" : "✗"), h("span", { class: "hidden" }, right ? words.right : words.wrong)]));
  }

  /**
   * @param {Verdict} result
   * @param {boolean[]} flags
   * @param {boolean} own judged on the reader's own earlier numbers
   */
  function inWords({ correct, diagnoses }, flags, own) {
    const about = own ? ` (${words.carriedOn})` : "";
    if (correct) return h("p", { class: "good" }, `✓ ${words.allRight}${about}`);
    const right = flags.filter(Boolean).length;
    return h(
      "div",
      {},
      h("p", { class: "bad" }, `✗ ${words.someRight(right, flags.length)}${about}`),
      diagnoses.length ? h("p", { class: "why" }, words.why) : h("p", { class: "why" }, words.noDiagnosis),
      diagnoses.length ? h("ul", { class: "points" }, diagnoses.map(({ explanation }) => h("li", {}, explanation))) : null,
    );
  }
}

/**
 * The indices of the i-th number, row-major.
 * @param {number} i
 * @param {number[]} shape
 */
function indices(i, shape) {
  return shape.map((size, axis) => Math.floor(i / shape.slice(axis + 1).reduce((product, inner) => product * inner, 1)) % size);
}

/**
 * @param {string[]} flat
 * @param {number[]} shape
 * @returns {AnswerList | string}
 */
function shaped(flat, [size, ...inner]) {
  if (size === undefined) return flat[0] ?? "";
  const stride = flat.length / size;
  const rows = Array.from({ length: size }, (_, i) => shaped(flat.slice(i * stride, (i + 1) * stride), inner));
  return /** @type {AnswerList} */ (rows); // all rows are of one depth, which no type says
}

/**
 * @param {import("../../../../js/src/grading-types.js").Flags} flags
 * @returns {boolean[]}
 */
function flattened(flags) {
  return typeof flags === "boolean" ? [flags] : flags.flatMap(flattened);
}
