/**
 * Checks and exercises, in the words of the OpenAPI description.
 *
 * @typedef {(number | string | AnswerList)[]} AnswerList numbers, or strings as a student types them
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
 * @typedef {any} ExerciseRequest
 * @typedef {any} Exercise
 */

export {};
