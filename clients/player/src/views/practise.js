/** Practise: an exercise that its number gives again, the reader's answers, and what became of them. */

import { h, replace } from "../dom.js";
import { heatMap } from "../heat-map.js";
import { mathFromLatex } from "../latex.js";
import { exact } from "../numbers.js";
import { readNumbers } from "../../../js/src/numbers.js";
import { wordsIn } from "../words.js";
import { axisNames } from "./explore/axes.js";
import { messageFor, waiting } from "./message.js";
import { createQuestion } from "./practise/question.js";
import { createWorking } from "./practise/working.js";
import { select } from "./select.js";

const SEEDS = 10_000;
const DIFFICULTIES = ["1", "2", "3"];

/**
 * @typedef {import("../../../js/src/grading-types.js").Exercise} Exercise
 * @typedef {import("../../../js/src/grading-types.js").Topic} Topic
 * @typedef {import("../words.js").Words} Words
 *
 * @param {import("../library.js").Library} library
 * @param {(change: Partial<import("../route.js").Route>, how?: "push" | "replace") => void} go
 */
export function createPractise(library, go) {
  const bar = h("div", { class: "bar" });
  const sheet = h("div", { class: "sheet" });
  const element = h("div", { class: "practise" }, bar, sheet);
  let drawn = "";

  return {
    element,
    /** @param {import("../app.js").Page} page */
    async update({ route, lang, lecture }) {
      const words = wordsIn(lang);
      const chosen = chosenFrom(route.options, lecture.id);
      const key = JSON.stringify([chosen, lang]);
      if (key === drawn) return;
      drawn = key;
      replace(bar, controls(chosen, words));
      replace(sheet, waiting(words));
      try {
        const exercise = await library.exercise({ ...chosen, lang: lang === "en" ? "en" : "zh" });
        if (key === drawn) replace(sheet, drawnExercise(exercise, words));
      } catch (error) {
        if (key !== drawn) return;
        drawn = "";
        replace(sheet, messageFor(error, words, { base: library.client.base, retry: () => go({}, "replace") }));
      }
    },
  };

  /**
   * @param {ReturnType<typeof chosenFrom>} chosen
   * @param {Words} words
   */
  function controls(chosen, words) {
    const choose = (/** @type {Record<string, string | number>} */ change) => {
      const { topic, seed, difficulty } = { ...chosen, ...change };
      go({ options: { topic: String(topic), seed: String(seed), difficulty: String(difficulty) } });
    };
    const topics = Object.entries(words.topics).map(([value, label]) => ({ value, label }));
    return [
      select(words.topic, topics, chosen.topic, (topic) => choose({ topic })),
      select(words.difficulty, DIFFICULTIES.map((value) => ({ value, label: value })), String(chosen.difficulty), (difficulty) => choose({ difficulty })),
      h("p", { class: "seed" }, `${words.seed} ${chosen.seed}`),
      h("button", { type: "button", class: "quiet", "data-focus": "another", onclick: () => choose({ seed: 1 + Math.floor(Math.random() * SEEDS) }) }, words.newExercise),
    ];
  }

  /**
   * @param {Exercise} exercise
   * @param {Words} words
   */
  function drawnExercise(exercise, words) {
    const questions = exercise.asked.map((asked) => createQuestion(asked, words));
    const outcome = h("p", { class: "outcome", role: "status" });
    const working = createWorking(library, exercise.working, words);
    const answers = h(
      "form",
      { class: "answers", novalidate: true, onsubmit: checkAll },
      h("h2", {}, words.answers),
      h("p", { class: "about" }, words.answerHint),
      questions.map((question) => question.element),
      h("div", { class: "actions" }, h("button", { type: "submit" }, words.check), working.button, outcome),
    );
    return [
      h("section", { class: "task" }, h("h2", {}, exercise.title), exercise.statement.split("\n").map((line) => h("p", {}, line)), givenNumbers(exercise, words)),
      answers,
      working.element,
    ];

    /** @param {Event} event */
    async function checkAll(event) {
      event.preventDefault();
      const filled = questions.filter((question) => question.isFilled());
      outcome.textContent = filled.length ? "" : words.fillSome;
      await Promise.all(filled.map((question) => question.check(library.client, carriedInto(question, filled), exercise.lang)));
    }
  }
}

/**
 * The reader's own numbers for what comes before, so that one early slip is not held against everything after it.
 * @param {ReturnType<typeof createQuestion>} question
 * @param {ReturnType<typeof createQuestion>[]} filled
 */
function carriedInto(question, filled) {
  const same = (/** @type {ReturnType<typeof createQuestion>} */ other) =>
    JSON.stringify([other.asked.check.trace, other.asked.tokens]) === JSON.stringify([question.asked.check.trace, question.asked.tokens]);
  const before = filled.slice(0, filled.indexOf(question)).filter((other) => other.asked.tokens !== null && other.isComplete() && same(other));
  return question.asked.tokens === null ? {} : Object.fromEntries(before.map((other) => [other.asked.step, other.answer()]));
}

/**
 * @param {Exercise} exercise
 * @param {Words} words
 */
function givenNumbers({ given }, words) {
  const name = axisNames(words);
  return h(
    "div",
    { class: "given" },
    h("h3", {}, words.givenNumbers),
    h(
      "div",
      { class: "slices" },
      given.map(({ symbol, name: step, axes, value }) =>
        h("div", {}, h("p", { class: "symbol" }, mathFromLatex(symbol, { inline: true }), " ", h("code", {}, step)), heatMap(readNumbers(value), { axes, name }, { ...(axes.length < 3 && { caption: step }), write: exact })),
      ),
    ),
  );
}

/**
 * @param {Record<string, string>} options
 * @param {string} lecture
 */
function chosenFrom({ topic, seed, difficulty }, lecture) {
  const known = Object.keys(wordsIn("en").topics);
  const usual = lecture === "R45" ? "feed_forward" : "add_and_norm";
  return {
    topic: /** @type {Topic} */ (topic && known.includes(topic) ? topic : usual),
    seed: Math.max(0, Math.trunc(Number(seed))) || 1,
    difficulty: DIFFICULTIES.includes(difficulty ?? "") ? Number(difficulty) : 1,
  };
}
