/**
 * Blocks, traces and what is derived from them, in the words of the OpenAPI description.
 * `npm run drift` holds the two together.
 *
 * @typedef {(number | NumberList)[]} NumberList
 * @typedef {number | NumberList} Nested nested row-major lists of numbers, or one number
 * @typedef {number[] | number[][] | number[][][] | number[][][][]} Shallow
 * @typedef {Shallow | number[][][][][] | number[][][][][][] | number[][][][][][][] | number[][][][][][][][]} Numbers what may be sent
 * @typedef {"-Infinity" | "Infinity" | "NaN"} Spelled a number that JSON has no sign for
 * @typedef {(number | Spelled | ValueList)[]} ValueList
 * @typedef {number | Spelled | ValueList} Values numbers as they travel
 *
 * @typedef {object} WireTensor
 * @property {string} name
 * @property {string} symbol LaTeX
 * @property {string[]} axes
 * @property {number[]} shape
 * @property {string} dtype
 * @property {string} op
 * @property {string[]} inputs
 * @property {string} latex the right-hand side of its formula
 * @property {Values} value
 *
 * @typedef {object} Estimate
 * @property {number} elements
 * @property {number} parameter_elements
 * @property {number} bytes
 * @property {number} multiply_adds
 *
 * @typedef {object} Problem RFC 9457
 * @property {string} type
 * @property {string} title
 * @property {number} status
 * @property {string} [detail]
 * @property {string} [instance]
 * @property {string} [request_id]
 * @property {{ pointer?: string, detail?: string, expected?: unknown, got?: unknown }[]} [errors]
 * @property {Estimate} [estimate]
 * @property {unknown} [limit]
 *
 * @typedef {{ rope: { theta: number, layout: "half" | "interleaved" } } | { alibi: true }} Position
 * @typedef {boolean[][] | boolean[][][] | boolean[][][][]} Keep true = may attend
 * @typedef {number | Spelled} Addend
 * @typedef {Addend[][] | Addend[][][] | Addend[][][][]} Additive
 * @typedef {{ causal?: boolean | null, keep: Keep, additive?: Additive | null }} KeepMask
 * @typedef {{ causal?: boolean | null, keep?: Keep | null, additive: Additive }} AdditiveMask
 * @typedef {{ causal: true, keep?: Keep | null, additive?: Additive | null }} CausalPartMask
 * @typedef {"causal" | KeepMask | AdditiveMask | CausalPartMask} Mask
 *
 * @typedef {object} ResolvedBlock
 * @property {"encoder" | "decoder"} kind
 * @property {"post" | "pre"} norm_placement
 * @property {"layer_norm" | "rms_norm"} norm
 * @property {number} epsilon
 * @property {"relu" | "gelu" | "gelu_tanh" | "silu" | "swiglu" | "geglu" | "reglu"} activation
 * @property {number | null} n_heads
 * @property {number | null} n_kv_heads
 * @property {number | null} d_model
 * @property {number | null} d_head
 * @property {number | null} d_ff
 * @property {number | null} scale
 * @property {number | null} softcap
 * @property {Position | null} position
 * @property {Mask | null} mask
 * @property {number | null} window
 * @property {boolean[] | boolean[][] | null} key_padding_keep
 * @property {"top_left" | "bottom_right"} causal_alignment
 * @property {number} dropout
 * @property {"float64" | "float32" | "float16"} dtype
 *
 * @typedef {{ [Field in keyof ResolvedBlock]?: ResolvedBlock[Field] | null }} Block
 *
 * @typedef {{ step: string, where?: Record<string, number[]> | null }} Place
 * @typedef {Place & { set: number | Numbers } | Place & { scale: number } | Place & { add: number | Numbers }} Intervention
 *
 * @typedef {object} TraceRequest
 * @property {string | null} [example]
 * @property {Block | null} [block]
 * @property {Record<string, number[] | number[][] | null> | null} [parameters]
 * @property {number | null} [seed]
 * @property {number[][] | number[][][] | null} [x]
 * @property {number[][] | number[][][] | null} [memory]
 * @property {Intervention[] | null} [interventions]
 * @property {string[] | null} [select]
 * @property {number[] | null} [tokens]
 * @property {boolean | null} [include_parameters]
 *
 * @typedef {TraceRequest} Patch JSON Merge Patch (RFC 7396) of a trace request
 *
 * @typedef {{ step: string, code: string, detail: string }} Warned
 *
 * @typedef {object} TraceAnswer
 * @property {ResolvedBlock} block
 * @property {string} output
 * @property {string} provenance
 * @property {WireTensor[]} steps
 * @property {{ step: string, elements: number }[]} interventions
 * @property {Warned[]} warnings
 * @property {Record<string, string>} conventions
 * @property {string} engine
 *
 * @typedef {object} PlanAnswer
 * @property {ResolvedBlock} block
 * @property {string} output
 * @property {string} provenance
 * @property {Omit<WireTensor, "value" | "dtype">[]} steps
 * @property {Estimate} estimate
 * @property {Warned[]} warnings
 * @property {Record<string, string>} conventions
 * @property {string} engine
 *
 * @typedef {{ base: TraceRequest, variants: Record<string, Patch> }} CompareRequest
 *
 * @typedef {object} CompareAnswer
 * @property {{ block: ResolvedBlock, output: string, provenance: string }} base
 * @property {Record<string, Variant>} variants
 * @property {string} engine
 *
 * @typedef {object} Variant
 * @property {ResolvedBlock} block
 * @property {string} output
 * @property {string | null} first_difference the first step that differs
 * @property {ComparedStep[]} steps
 * @property {string[]} only_in_base
 * @property {string[]} only_in_variant
 * @property {Warned[]} warnings
 *
 * @typedef {object} ComparedStep
 * @property {string} name
 * @property {number | Spelled | null} max_abs_difference
 * @property {WireTensor} [base]
 * @property {WireTensor} [variant]
 *
 * @typedef {object} GradientRequest
 * @property {TraceRequest} trace
 * @property {string} of
 * @property {string[]} wrt
 * @property {Numbers} [cotangent]
 * @property {string[]} [stop]
 *
 * @typedef {{ of: string, gradients: WireTensor[] }} GradientAnswer
 *
 * @typedef {object} JacobianRequest
 * @property {TraceRequest} trace
 * @property {string} of
 * @property {number} [of_token]
 * @property {string} wrt
 * @property {number} [wrt_token]
 * @property {string[]} [stop]
 *
 * @typedef {object} JacobianAnswer
 * @property {string} of
 * @property {string} wrt
 * @property {WireTensor} matrix
 * @property {{ step: number, max_abs_error: number | Spelled }} finite_difference
 * @property {Warned[]} warnings
 *
 * @typedef {{ name: string, title: { zh: string, en: string }, provenance: string }} ExampleEntry
 * @typedef {{ examples: ExampleEntry[] }} ExampleList
 */

export {};
