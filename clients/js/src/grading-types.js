/**
 * Checks and exercises, in the words of the OpenAPI description.
 *
 * @typedef {number | string} Typed a number, or one as a student types it
 * @typedef {Typed[] | Typed[][] | Typed[][][] | Typed[][][][]} AnswerList
 * @typedef {boolean | FlagList} Flags
 * @typedef {(boolean | FlagList)[]} FlagList
 *
 * @typedef {object} CheckRequest
 * @property {import("./types.js").TraceRequest} trace
 * @property {string} step
 * @property {number[]} [tokens]
 * @property {AnswerList} answer
 * @property {{ absolute?: number, relative?: number }} [tolerance]
 * @property {Record<string, AnswerList>} [carried]
 * @property {boolean} [reveal]
 * @property {{ wrt: string, of_token?: number | null, wrt_token?: number | null, stop?: string[] | null }} [jacobian]
 *
 * @typedef {object} Diagnosis
 * @property {string} misconception
 * @property {string[]} misconceptions
 * @property {string} explanation
 * @property {string[]} steps
 * @property {number} distance
 *
 * @typedef {object} Verdict
 * @property {boolean} correct
 * @property {number} score
 * @property {Flags} elements true = right
 * @property {import("./types.js").Values | null} expected null unless `reveal`
 * @property {Diagnosis[]} diagnoses
 *
 * @typedef {{ name: string, done: string, right: string, why: string, explanation: string }} Misconception
 * @typedef {{ misconceptions: Misconception[] }} MisconceptionList
 *
 * @typedef {"attention_weights" | "multi_head_output" | "add_and_norm" | "feed_forward" | "whole_row" |
 *   "zeroed_projection" | "pre_or_post" | "jacobian_direct_path"} Topic
 *
 * @typedef {{ topic: Topic, seed: number, difficulty?: number, lang?: "zh" | "en" }} ExerciseRequest
 *
 * @typedef {object} AskedFor
 * @property {string} step
 * @property {string} label
 * @property {string} symbol LaTeX
 * @property {string[]} axes
 * @property {number[]} shape
 * @property {number[] | null} tokens null for a Jacobian
 * @property {Record<string, any>} check the body for `check`; only `answer` is to be put in
 *
 * @typedef {object} Exercise
 * @property {Topic} topic
 * @property {number} seed
 * @property {number} difficulty
 * @property {"zh" | "en"} lang
 * @property {string} title
 * @property {string} statement
 * @property {{ name: string, symbol: string, axes: string[], shape: number[], value: import("./types.js").Values }[]} given
 * @property {AskedFor[]} asked in the order in which they are worked
 * @property {import("./types.js").TraceRequest[]} working requests whose traces show every step
 */

export {};
