/** The types of the client against those of the OpenAPI description: this file compiles, or one has drifted from the other. */

import type { operations } from "../../build/openapi.js";
import type { Client } from "./src/index.js";
import type * as lectures from "./src/lecture-types.js";
import type * as grading from "./src/grading-types.js";
import type * as block from "./src/types.js";

type Sent<Name extends keyof operations> = operations[Name] extends { requestBody: { content: { "application/json": infer Body } } } ? Body : never;
type Answered<Name extends keyof operations> = operations[Name] extends { responses: { 200: { content: { "application/json": infer Body } } } } ? Body : never;
type Problems = operations["trace"] extends { responses: { 422: { content: { "application/problem+json": infer Body } } } } ? Body : never;

/** Fails to compile unless what stands first can be used where the second is expected. */
declare function fits<Narrow extends Wide, Wide>(): void;

// Every operation has its method, or is left out on purpose.
const methods = {
  trace: "trace",
  plan: "plan",
  compare: "compare",
  gradient: "gradient",
  jacobian: "jacobian",
  examples: "examples",
  example: "example",
  lectures: "lectures",
  lecture: "lecture",
  states: "states",
  state: "state",
  live_state: "state",
  figure_svg: "figureSvg",
  live_figure_svg: "figureSvg",
  check: "check",
  misconceptions: "misconceptions",
  exercise: "exercise",
  limits: "limits",
  health_live: null, // for the machines that run the service
  health_ready: null,
  problem: null, // what a problem's `type` leads to, for people
} as const satisfies Record<keyof operations, keyof Client | null>;
export type Known = typeof methods;

// What the client lets a caller send, the service takes.
fits<block.TraceRequest, Sent<"trace">>();
fits<block.TraceRequest, Sent<"plan">>();
fits<block.CompareRequest, Sent<"compare">>();
fits<block.GradientRequest, Sent<"gradient">>();
fits<block.JacobianRequest, Sent<"jacobian">>();
fits<block.Patch, Sent<"live_state">>();
fits<block.Patch, Sent<"live_figure_svg">>();
fits<grading.CheckRequest, Sent<"check">>();
fits<grading.ExerciseRequest, Sent<"exercise">>();
fits<Sent<"exercise">["topic"], grading.Topic>();

// What the service answers is what the client says it answers.
fits<Answered<"trace">, block.TraceAnswer>();
fits<Answered<"plan">, block.PlanAnswer>();
fits<Answered<"compare">, block.CompareAnswer>();
fits<Answered<"gradient">, block.GradientAnswer>();
fits<Answered<"jacobian">, block.JacobianAnswer>();
fits<Answered<"example">, block.TraceRequest>();
fits<Answered<"examples">, block.ExampleList>();
fits<Answered<"lectures">, lectures.LectureList>();
fits<Answered<"lecture">, lectures.Lecture>();
fits<Answered<"states">, lectures.StateList>();
fits<Answered<"state">, lectures.State>();
fits<Answered<"live_state">, lectures.State>();
fits<Answered<"check">, grading.Verdict>();
fits<Answered<"misconceptions">, grading.MisconceptionList>();
fits<Answered<"exercise">, grading.Exercise>();
fits<Problems, block.Problem>();
