"""The client: one method for each operation of the service, named as the operation is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self, Unpack

import requests

from . import answers, body, safetensors, torch_layer
from .body import TraceFields
from .errors import BlockwalkError, TooCostly
from .results import Comparison, Figure, Gradients, Jacobian
from .trace import Trace
from .transport import Timeout, Transport, escaped

DEFAULT_TIMEOUT = 30.0
SVG = "image/svg+xml"
Lang = Literal["zh", "en"]
TraceRequest = str | Mapping[str, Any]
"""The name of an example, or the fields of a trace request."""


class Client:
    """A Blockwalk service at an address.

    `timeout` is in seconds (or a pair: to connect, to read); `session` a `requests.Session` of your own,
    with its proxies, certificates and headers; `api_key` what a service that asks for one has given you;
    `lang` the language of explanations and lectures, `zh` or `en`, where a call names none.

    >>> client = Client("http://127.0.0.1:8000")
    >>> trace = client.trace("lecture-05")
    >>> [round(float(number), 3) for number in trace["norm_1.output"][0]]
    [1.171, 0.65, -0.385, -1.435]
    """

    def __init__(
        self,
        base_url: str,
        timeout: Timeout = DEFAULT_TIMEOUT,
        session: requests.Session | None = None,
        *,
        api_key: str | None = None,
        lang: Lang | None = None,
    ) -> None:
        self.lang = lang
        self._transport = Transport(base_url, timeout, session, api_key)

    def __repr__(self) -> str:
        return f"Client({self._transport.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections; a session that you brought stays open."""
        self._transport.close()

    # -- one block --------------------------------------------------------------------------------

    def trace(
        self, request: TraceRequest = "", *, binary: bool | None = None, **fields: Unpack[TraceFields]
    ) -> Trace:
        """Run one block; answer with every intermediate.

        `request` is the name of an example or a mapping of fields; the other fields go on top of it. Large
        arrays travel as bytes, both ways; `binary` overrides that choice.

        >>> trace = client.trace(x=[[1, 0], [0, 1]], block={"n_heads": 1, "d_ff": 2}, seed=1)
        >>> trace.output.shape
        (2, 2)
        """
        sent = whole(request, fields)
        large = body.is_large(sent) if binary is None else binary
        accept = safetensors.MEDIA_TYPE if large else body.JSON
        try:
            answer = self._post("/block/trace", sent, binary=large, accept=accept)
        except TooCostly as refused:
            if binary is not None or "json_numbers" not in refused.limit:
                raise
            # Only the decimals were too many, of an answer larger than its request let suspect.
            answer = self._post("/block/trace", sent, accept=safetensors.MEDIA_TYPE)
        if answer.headers.get("Content-Type", "").startswith(safetensors.MEDIA_TYPE):
            values, metadata = safetensors.read(answer.content)
            return Trace(json.loads(metadata["trace"]), values)
        return Trace(read(answer))

    def trace_torch(
        self,
        layer: Any,
        x: Any,
        memory: Any = None,
        *,
        block: Mapping[str, Any] | None = None,
        binary: bool | None = None,
        **more: Any,
    ) -> Trace:
        """Run a `torch.nn.TransformerEncoderLayer` or `TransformerDecoderLayer` with its own parameters.

        `x`, and a decoder's `memory`, are laid out as the layer takes them; the trace has the batch first.
        Other fields of a trace request go on top: `block={"mask": "causal"}`, `select=["attention.*"]`.
        The numbers are float64 unless `block={"dtype": "float32"}`. Raises `TypeError` for another kind of
        layer, and `ValueError` for one in training mode or one that computes what no block can.
        """
        given = torch_layer.fields_of(layer)
        sent = {**given, "x": torch_layer.batch_first(layer, x), **more}
        sent["block"] = {**given["block"], **(block or {})}
        if memory is not None:
            sent["memory"] = torch_layer.batch_first(layer, memory)
        return self.trace(sent, binary=binary)

    def plan(self, request: TraceRequest = "", **fields: Unpack[TraceFields]) -> answers.Plan:
        """Say which steps a trace would compute, with which shapes and at what cost; compute nothing.

        >>> client.plan("lecture-05")["estimate"]["multiply_adds"] > 0
        True
        """
        sent = whole(request, fields)
        found: answers.Plan = read(self._post("/block/plan", sent, binary=body.is_large(sent)))
        return found

    def compare(self, base: TraceRequest, variants: Mapping[str, Mapping[str, Any]]) -> Comparison:
        """Run a block and variants of it, each a merge patch (RFC 7396) of the base; align them by step.

        >>> pre_norm = {"block": {"norm_placement": "pre"}}
        >>> found = client.compare("lecture-05-reconstructed", {"pre_norm": pre_norm})
        >>> found["pre_norm"].first_difference
        'attention.query'
        """
        sent = {"base": whole(base, {}), "variants": variants}
        return Comparison(read(self._post("/block/compare", sent)))

    def gradient(
        self,
        trace: TraceRequest,
        of: str,
        wrt: str | Sequence[str],
        *,
        cotangent: Any = None,
        stop: Sequence[str] = (),
    ) -> Gradients:
        """Differentiate a step by inputs, parameters or earlier steps.

        What is differentiated is Σ cotangent ⊙ of, the plain sum where no cotangent is given. No gradient
        passes through the steps in `stop`.

        >>> client.gradient("lecture-05", of="output", wrt="x")["x"].shape
        (1, 4)
        """
        names = [wrt] if isinstance(wrt, str) else list(wrt)
        sent = {"trace": whole(trace, {}), "of": of, "wrt": names, "stop": list(stop), "cotangent": cotangent}
        return Gradients(read(self._post("/block/gradient", sent)))

    def jacobian(
        self,
        trace: TraceRequest,
        of: str,
        wrt: str,
        *,
        of_token: int | None = None,
        wrt_token: int | None = None,
        stop: Sequence[str] = (),
    ) -> Jacobian:
        """The matrix ∂of_i/∂wrt_j, of all tokens or of one token by one, attested by central differences.

        >>> found = client.jacobian("lecture-05", of="output", wrt="x", of_token=0, wrt_token=0)
        >>> found.matrix.shape
        (4, 4)
        >>> found.finite_difference["max_abs_error"] < 1e-6
        True
        """
        sent = {
            "trace": whole(trace, {}),
            "of": of,
            "wrt": wrt,
            "of_token": of_token,
            "wrt_token": wrt_token,
            "stop": list(stop),
        }
        return Jacobian.from_dict(read(self._post("/block/jacobian", sent)))

    # -- examples ---------------------------------------------------------------------------------

    def examples(self) -> list[answers.ExampleEntry]:
        """List the named examples.

        >>> [example["name"] for example in client.examples()][0]
        'lecture-05'
        """
        found: list[answers.ExampleEntry] = self._get("/examples")["examples"]
        return found

    def example(self, name: str) -> dict[str, Any]:
        """Give one example: all fields of a trace request, to look at, change and send to `trace`."""
        found: dict[str, Any] = self._get(f"/examples/{escaped(name)}")
        return found

    # -- lectures ---------------------------------------------------------------------------------

    def lectures(self, lang: Lang | None = None) -> list[answers.LectureEntry]:
        """List the lectures."""
        found: list[answers.LectureEntry] = self._get("/lectures", lang or self.lang)["lectures"]
        return found

    def lecture(self, lecture: str, lang: Lang | None = None) -> answers.LecturePage:
        """Give a lecture page: its question, its states, its sections with their numbers filled in."""
        found: answers.LecturePage = self._get(f"/lectures/{escaped(lecture)}", lang or self.lang)
        return found

    def states(self, lecture: str, lang: Lang | None = None) -> answers.LectureStates:
        """List the states of a page, in page order."""
        found: answers.LectureStates = self._get(f"/lectures/{escaped(lecture)}/states", lang or self.lang)
        return found

    def state(
        self,
        lecture: str,
        state: str,
        patch: Mapping[str, Any] | None = None,
        *,
        lang: Lang | None = None,
    ) -> answers.LectureState:
        """Give one state of a page: rows, statistics, formulas, nodes, edges, notes and links.

        With a `patch`, a merge patch (RFC 7396) of the lecture's trace request, its numbers are recomputed.

        >>> state = client.state("R44", "b2", lang="en")
        >>> changed = client.state("R44", "b2", {"block": {"epsilon": 0.1}})
        >>> state["modified"], changed["modified"]
        (False, True)
        """
        path = f"/lectures/{escaped(lecture)}/states/{escaped(state)}"
        chosen = lang or self.lang
        found: answers.LectureState = (
            self._get(path, chosen) if patch is None else read(self._post(path, patch, lang=chosen))
        )
        return found

    def figure_svg(
        self,
        lecture: str,
        state: str,
        patch: Mapping[str, Any] | None = None,
        *,
        lang: Lang | None = None,
    ) -> Figure:
        """Draw one state of a page, with a `patch` recomputed; a notebook shows the picture.

        >>> client.figure_svg("R44", "b2").startswith("<svg")
        True
        """
        path = f"/lectures/{escaped(lecture)}/states/{escaped(state)}/figure.svg"
        answer = (
            self._transport.send("GET", path, params=asking(lang or self.lang), headers={"Accept": SVG})
            if patch is None
            else self._post(path, patch, accept=SVG, lang=lang or self.lang)
        )
        return Figure(answer.content.decode())

    # -- grading ----------------------------------------------------------------------------------

    def check(
        self,
        trace: TraceRequest,
        step: str,
        answer: Any,
        *,
        tokens: Sequence[int] | None = None,
        jacobian: Mapping[str, Any] | None = None,
        tolerance: Mapping[str, float] | None = None,
        carried: Mapping[str, Any] | None = None,
        reveal: bool = False,
        lang: Lang | None = None,
    ) -> answers.Verdict:
        """Judge an answer for a step element by element, and say which known mistake explains it.

        `tokens` are the rows that the answer has; `carried` the student's own values of earlier steps, on
        which the step is then judged; `jacobian` asks for derivatives of the step in its place. Numbers may
        be strings as a student types them: `"1/2"`, `"−0.198"`.

        >>> verdict = client.check("lecture-05", "norm_1.mean", [1.098888], tokens=[0])
        >>> verdict["correct"]
        True
        """
        optional = {"tokens": tokens, "jacobian": jacobian, "tolerance": tolerance, "carried": carried}
        sent = {"trace": whole(trace, {}), "step": step, "answer": answer, "reveal": reveal}
        sent |= {name: value for name, value in optional.items() if value is not None}
        found: answers.Verdict = read(self._post("/checks", sent, lang=lang or self.lang))
        return found

    def exercise(
        self, topic: str, seed: int, *, difficulty: int | None = None, lang: Lang | None = None
    ) -> answers.Exercise:
        """Make an exercise: statement, given numbers, what is asked, and how to have an answer checked.

        The same topic, seed (a student's number, say) and difficulty (1 to 3) give the same one everywhere.

        >>> exercise = client.exercise("add_and_norm", seed=3, lang="en")
        >>> question = exercise["asked"][-1]
        >>> client.check(**question["check"], answer=[[0, 0, 0, 0]])["correct"]
        False
        """
        sent: dict[str, Any] = {"topic": topic, "seed": seed}
        if difficulty is not None:
            sent["difficulty"] = difficulty
        found: answers.Exercise = read(self._post("/exercises", sent, lang=lang or self.lang))
        return found

    def misconceptions(self, lang: Lang | None = None) -> list[answers.MisconceptionEntry]:
        """List the known mistakes: what is done, what is right, and why."""
        found: list[answers.MisconceptionEntry] = self._get("/misconceptions", lang or self.lang)[
            "misconceptions"
        ]
        return found

    # -- the service itself -----------------------------------------------------------------------

    def limits(self) -> dict[str, float]:
        """The limits in force, by the names that the service's settings give them."""
        found: dict[str, float] = self._get("/limits")
        return found

    def health_live(self) -> answers.Health:
        """Whether the process is up."""
        found: answers.Health = self._get("/health/live")
        return found

    def health_ready(self) -> answers.Health:
        """Whether the service can compute."""
        found: answers.Health = self._get("/health/ready")
        return found

    def problem(self, kind: str) -> answers.ProblemKind:
        """What a kind of problem means: `client.problem(error.type)`."""
        found: answers.ProblemKind = self._get(f"/problems/{escaped(kind)}")
        return found

    # -- inside -----------------------------------------------------------------------------------

    def _get(self, path: str, lang: Lang | None = None) -> Any:
        return read(self._transport.send("GET", path, params=asking(lang), headers={"Accept": body.JSON}))

    def _post(
        self,
        path: str,
        data: Mapping[str, Any],
        *,
        binary: bool = False,
        accept: str = body.JSON,
        lang: Lang | None = None,
    ) -> requests.Response:
        sent, media_type = body.encoded(data, binary=binary)
        headers = {"Accept": accept, "Content-Type": media_type}
        return self._transport.send("POST", path, params=asking(lang), headers=headers, data=sent)


def whole(request: TraceRequest, more: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a trace request, of an example's name or a mapping, with more on top."""
    if isinstance(request, str):
        return {"example": request, **more} if request else dict(more)
    return {**request, **more}


def asking(lang: Lang | None) -> dict[str, str]:
    return {"lang": lang} if lang else {}


def read(answer: requests.Response) -> Any:
    """The JSON of an answer. Raises `BlockwalkError` where it is none: a wrong address, most likely."""
    try:
        return answer.json()
    except requests.JSONDecodeError:
        raise BlockwalkError(
            f"{answer.url} answered with something else than JSON; is this the address of a service?",
            status=answer.status_code,
        ) from None
