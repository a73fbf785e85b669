"""Writing lectures: what the check finds, and what becomes of a broken folder."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service import engine
from service.errors import NotFound
from service.lectures import Catalogue, authoring, pages, schema
from service.lectures.catalogue import NotServed, Unavailable
from service.lectures.loading import Problem, load
from service.lectures.model import DRAWINGS
from service.lectures.run import Vanished
from service.lectures.template import FORMATS

EXTRA = Path(__file__).parent / "extra"
START = "START"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a newly begun lecture."""
    return authoring.start(START, tmp_path_factory.mktemp("new")).read_text(encoding="utf-8")


def written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "lecture.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_new_lecture_passes_the_check(tmp_path: Path) -> None:
    file = authoring.start("R46", tmp_path)
    assert file == tmp_path / "R46" / "lecture.toml"
    (verdict,) = authoring.check([tmp_path])
    assert (verdict.id, verdict.problems) == ("R46", ())
    assert verdict.n_states == 2


@pytest.mark.parametrize("name", ["../R46", "R 46", "", "4", "a/b", "x" * 70])
def test_a_lecture_cannot_be_called_what_is_no_part_of_an_address(tmp_path: Path, name: str) -> None:
    with pytest.raises(authoring.CannotStart):
        authoring.start(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_new_lecture_replaces_none(tmp_path: Path) -> None:
    authoring.start("R46", tmp_path)
    for name in ("R46", "R44"):
        with pytest.raises(authoring.CannotStart, match=name):
            authoring.start(name, tmp_path)


# Each mistake: what is written instead of what, the key that is named, and a word of the complaint.
MISTAKES = [
    ('caption.en = "We begin with x₁ = {x | row}."', "", "states.b0.caption.en", "missing"),
    ('title.en = "START: the title goes here"', 'title.fr = "titre"', "title.en", "missing"),
    ('title.en = "START: the title goes here"', 'title.fr = "titre"', "title.fr", "no such language"),
    ('default_state = "b0"', 'default_state = "b9"', "default_state", "b9"),
    ('default_state = "b0"', "", "default_state", "is missing"),
    ('default_state = "b0"', 'default_state = "b0"\ncolour = "red"', "colour", "no such key"),
    ('default_state = "b0"', 'default_state = "b0"\npage_order = ["b0"]', "states.b1", "reach"),
    (
        'default_state = "b0"',
        'default_state = "b0"\nreading_order = ["b0", "b1", "b0"]',
        "reading_order[2]",
        "twice",
    ),
    ('step = "norm_1.mean"', 'step = "norm_9.mean"', "statistics.mean.step", "norm_1.mean"),
    ('step = "norm_1.mean"', 'step = "norm_1.output"', "statistics.mean", "single number"),
    ('step = "residual_1"', 'step = "norm_1.mean"', "rows.residual_1", "statistics"),
    ('step = "residual_1"', 'step = "attention.output"\nhead = -1', "rows.residual_1.head", "from 0"),
    ('step = "x"\ntoken = 0', 'step = "x"\ntoken = 7', "rows.x", "no token 7"),
    ('step = "x"\ntoken = 0', 'step = "x"\ntoken = "first"', "rows.x.token", "whole number"),
    ('step = "x"\ntoken = 0', 'step = "x"\ntoken = true', "rows.x.token", "whole number"),
    (r"\operatorname{MHA}(X)_i'", r"\operatorname{MHA(X)_i'", "formulas.residual.latex", "LaTeX"),
    (r"\operatorname{MHA}(X)_i'", r"\frac{1}'", "formulas.residual.latex", "LaTeX"),
    (r"\operatorname{MHA}(X)_i'", r"\nonsense'", "formulas.residual.latex", r"\nonsense"),
    ('symbol = "μ"', 'symbol = "μ_"', "statistics.mean.symbol", "LaTeX"),
    ("μ = {mean}。", "μ = {mean | loud}。", "sections.details.parts[0].text.zh", "loud"),
    ("μ = {mean}。", "μ = {median}。", "sections.details.parts[0].text.zh", "median"),
    ("μ = {mean}。", "μ = {residual_1[9]}。", "sections.details.parts[0].text.zh", "no element"),
    ("μ = {mean}。", "μ = {mean。", "sections.details.parts[0].text.zh", "brace"),
    ("μ = {mean}。", "μ = {mean | 99}。", "sections.details.parts[0].text.zh", "0 to 15"),
    ('label.zh = "相加"', 'label.zh = "相加 {mean}"', "states.b1.label.zh", "braces"),
    ('label.zh = "由服务重算"', 'label.zh = "由服务重算 {x"', "links.recompute.label.zh", "braces"),
    (
        "本例：ε={block.epsilon | short}",
        "本例：ε={block.patience | short}",
        "notes.settings.zh",
        "block.patience",
    ),
    ('after = "b0"', 'after = "b9"', "states.b1.after", "b9"),
    ('after = "b0"', 'after = "b1"', "states.b1.after", "circle"),
    ('rows = ["residual_1"]', 'rows = ["residual_7"]', "states.b1.rows[0]", "residual_7"),
    ('rows = ["residual_1"]', 'nodes = ["x"]', "states.b1.nodes", "shows no nodes"),
    ('statistics = ["mean"]', 'statistics = "mean"', "states.b1.statistics", "list"),
    ('drawing = "table"\nafter', 'drawing = "pie"\nafter', "states.b1.drawing", "heat_map"),
    ('drawing = "table"\nlabel', 'drawing = "heat_map"\nlabel', "states.b0", "heat_maps"),
    ('links = ["recompute"]', 'links = ["nothing"]', "sections.details.parts[0].links[0]", "recompute"),
    ('href = "/block/trace"', 'href = "javascript:alert(1)"', "links.recompute.href", "https://"),
    ('href = "/block/trace"', 'href = "//example.org"', "links.recompute.href", "https://"),
    (
        '{ example = "lecture-05" }',
        '{ example = "lecture-98" }',
        "links.recompute.body.example",
        "lecture-98",
    ),
    ('{ example = "lecture-05" }', "{ trace = { x = 3 } }\n", "links.recompute.body.trace", "no field"),
    ('example = "lecture-05"\n\n', "seed = 1\nx = [[1.0]]\nblock.d_head = 300000000\n\n", "trace", "limit"),
    ('example = "lecture-05"\n\n', 'example = "lecture-99"\n\n', "trace.example", "lecture-05"),
    ('example = "lecture-05"\n\n', 'example = "lecture-05"\nselect = ["x"]\n\n', "trace.select", "rows"),
    (
        'example = "lecture-05"\n\n',
        'example = "lecture-05"\nblock.epsilon = -1\n\n',
        "trace.block.epsilon",
        "",
    ),
    (
        "[rows.x]",
        '[receives]\nlecture = "R45"\ntext = "x"\nrow = "y"\n\n[rows.x]',
        "receives.row",
        "residual_1",
    ),
    ("[rows.x]", '["rows"."x y"]', "rows.x y", "letters"),
    ("[rows.x]", "[nodes.a]\nrole = 'star'\nlabel = 'a'\n\n[rows.x]", "nodes.a.role", "kept"),
    ("[rows.x]", "[edges.a]\nfrom = 'p'\nto = 'q'\nrole = 'flow'\n\n[rows.x]", "edges.a.to", "node"),
]


@pytest.mark.parametrize(("old", "new", "key", "word"), MISTAKES, ids=[f"{m[2]} {m[3]}" for m in MISTAKES])
def test_a_mistake_is_named_with_its_file_its_key_and_its_line(
    tmp_path: Path, started: str, old: str, new: str, key: str, word: str
) -> None:
    assert old in started
    text = started.replace(old, new, 1)
    lecture, problems = load(written(tmp_path / START, text))
    assert lecture is None
    found = {problem.key: problem for problem in problems}
    assert key in found
    assert word in found[key].detail
    assert found[key].file == f"{START}/lecture.toml"
    if new:
        changed = text[: text.index(new)].count("\n") + 1
        around = range(changed - 12, changed + new.count("\n") + 2)
        assert found[key].line in around or found[key].detail.startswith("no reader")


def test_the_names_that_a_brace_could_hold_are_told_in_alphabetical_order(
    tmp_path: Path, started: str
) -> None:
    _lecture, problems = load(written(tmp_path / START, started.replace("{mean}", "{zzzzzz}", 1)))
    named = problems[0].detail.partition("there is ")[2].partition("; there is ")[2].split(", ")
    assert len(named) > 8
    assert named == sorted(named)


def test_all_mistakes_are_told_and_not_only_the_first(tmp_path: Path, started: str) -> None:
    chosen = [MISTAKES[i] for i in (0, 5, 8, 12, 15, 23, 30)]
    text = started
    for old, new, _key, _word in chosen:
        text = text.replace(old, new, 1)
    _lecture, problems = load(written(tmp_path / START, text))
    assert {each[2] for each in chosen} <= {problem.key for problem in problems}
    assert [problem.line for problem in problems] == sorted(problem.line for problem in problems)


@pytest.mark.parametrize(
    ("content", "line", "word"),
    [
        (b"title = \n", 1, "TOML"),
        (b"a = 1\nb = [1,\n", 2, "TOML"),
        (b"a = 1\n\xff\xfe\n", 2, "UTF-8"),
        (b"", 1, "missing"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, 1, "deep"),
        (b"# " + b"x" * 1024 * 1024, 1, "longer"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_line(
    tmp_path: Path, content: bytes, line: int, word: str
) -> None:
    folder = tmp_path / "BAD"
    folder.mkdir()
    (folder / "lecture.toml").write_bytes(content)
    lecture, problems = load(folder)
    assert lecture is None
    assert problems[0].line == line
    assert any(word in problem.detail for problem in problems)


@pytest.mark.parametrize(
    "form",
    [each for each in vars(schema).values() if isinstance(each, type) and issubclass(each, schema.Form)],
)
def test_every_key_that_a_lecture_may_have_is_told_in_the_starting_file(
    started: str, form: type[schema.Form]
) -> None:
    for name, field in form().fields.items():
        assert re.search(rf"\b{field.data_key or name}\b", started), name


def test_the_readme_tells_every_drawing_and_format_and_shows_what_passes(
    tmp_path: Path, started: str
) -> None:
    readme = Path("README.md").read_text(encoding="utf-8")
    for word in (*DRAWINGS, *FORMATS):
        assert f"`{word}" in readme
    (shown,) = re.findall(r"```toml\n(.*?)```", readme, flags=re.DOTALL)
    beginning = "[rows.residual_1]", "[statistics.mean]", "[states.b1]", "# A concept picture"
    a, b, c, d = (started.index(words) for words in beginning)
    row, state = shown.split("[states.b1]")
    text = started[:a] + row + started[b:c] + "[states.b1]" + state + started[d:]
    assert load(written(tmp_path / START, text))[1] == []


# -- extra folders ------------------------------------------------------------------------------------------


def test_a_third_lecture_takes_a_folder_and_no_code() -> None:
    catalogue = Catalogue.load([EXTRA])
    assert [each["id"] for each in pages.lectures(catalogue, "zh")["lectures"]] == ["R44", "R45", "C01"]
    shown = pages.state(catalogue, "C01", "a1", "en")
    scores, weights = shown["figure"]["heat_maps"]
    assert not scores["new"]
    assert weights["new"]
    assert weights["row_labels"] == ["x₁", "x₂", "x₃"]
    assert weights["printed"][0] == ["1", "0", "0"]
    assert weights["value"].sum(axis=-1) == pytest.approx([1, 1, 1])
    assert "only 1 is left; the mask is causal" in shown["caption"]


def test_a_row_may_follow_any_token_and_head() -> None:
    shown = pages.state(Catalogue.load([EXTRA]), "C01", "a2", "zh")
    (row,) = shown["figure"]["rows"]
    assert (row["token"], row["head"]) == (2, 0)
    assert sum(row["value"]) == pytest.approx(1)


def test_a_token_that_a_patch_takes_away_is_the_row_s_loss() -> None:
    catalogue = Catalogue.load([EXTRA])
    patch = {"x": [[1, 0, 1, 0], [0, 1, 0, 1]]}
    with pytest.raises(Vanished, match=r"'last_weights' does not exist: attention\.weights has no query 2"):
        pages.changed_state(catalogue, "C01", "a2", "zh", patch, engine.UNLIMITED)


def test_an_extra_folder_may_be_a_lecture_itself() -> None:
    assert "C01" in Catalogue.load([EXTRA / "C01"]).lectures


def test_a_broken_lecture_is_listed_with_its_reasons_and_the_others_are_served(
    tmp_path: Path, started: str
) -> None:
    written(tmp_path / "BAD", started.replace('default_state = "b0"', ""))
    written(tmp_path / "GOOD", started)
    written(tmp_path / "R44", started)
    catalogue = Catalogue.load([tmp_path, tmp_path / "nowhere", EXTRA])
    assert list(catalogue.lectures) == ["R44", "R45", "GOOD", "C01"]
    listed = pages.lectures(catalogue, "en")["lectures"]
    broken = {each["id"]: each["reasons"] for each in listed if not each["available"]}
    assert broken["BAD"][0]["key"] == "default_state"
    assert "already" in broken["R44"][0]["detail"]
    assert "cannot be read" in broken["nowhere"][0]["detail"]
    assert str(tmp_path) not in str(broken)
    with pytest.raises(NotFound, match="cannot be served") as refusal:
        catalogue.lecture("BAD")
    assert "default_state" in refusal.value.faults[0].detail
    assert catalogue.lecture("R44").series.zh == "第 05 讲"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("title = 3\n", ""),
        ('extends = "nothing"\n', "nothing"),
        ("[request]\nx = [[1, 2], [3]]\n", "ragged"),
        ("[request.block]\nn_heads = 0\n", "at least 1"),
        ('[where]\nw = "import os"\n', "closed form"),
        ("[request\n", "TOML"),
    ],
)
def test_a_broken_example_of_a_lecture_is_told(tmp_path: Path, started: str, text: str, word: str) -> None:
    folder = written(tmp_path / "EXAMPLE", started)
    (folder / "broken-example.toml").write_text(text)
    lecture, problems = load(folder)
    assert lecture is None
    assert problems[0].file == "EXAMPLE/broken-example.toml"
    assert word in problems[0].detail


def test_an_example_of_a_lecture_cannot_take_the_place_of_another(tmp_path: Path, started: str) -> None:
    folder = written(tmp_path / "EXAMPLE", started)
    shutil.copy(EXTRA / "C01" / "C01-causal.toml", folder / "lecture-05.toml")
    _lecture, problems = load(folder)
    assert "already" in problems[0].detail
    assert load(EXTRA / "C01")[1] == []


def test_a_folder_that_was_changed_gives_another_version(tmp_path: Path, started: str) -> None:
    written(tmp_path / "ONE", started)
    before = Catalogue.load([tmp_path]).version
    assert Catalogue.load([tmp_path]).version == before
    (tmp_path / "ONE" / "lecture.toml").write_text(started + "\n# changed\n", encoding="utf-8")
    assert Catalogue.load([tmp_path]).version != before


LINES = (EXTRA / "C01" / "lecture.toml").read_text(encoding="utf-8").splitlines()
VALUES = ["1", "-1", "true", '""', '"{x"', "[]", "{}", '"x"', "1979-05-27", "[[1]]", "nan", "[1, 2]"]


@given(
    st.lists(
        st.tuples(st.integers(0, len(LINES) - 1), st.sampled_from([None, *VALUES])), min_size=1, max_size=6
    )
)
def test_no_mistake_in_a_file_is_beyond_the_check(edits: list[tuple[int, str | None]]) -> None:
    """Lines are taken out or given other values: there is a lecture, or there are reasons."""
    lines = list(LINES)
    for at, value in edits:
        name, sign, _rest = lines[at].partition(" = ")
        lines[at] = "" if value is None or not sign else f"{name} = {value}"
    folder = Written("C01", "\n".join(lines))
    lecture, problems = load(folder)  # type: ignore[arg-type]  # as much of a folder as is needed
    assert (lecture is None) == bool(problems)
    assert all(problem.line >= 1 for problem in problems)


class Written:
    """A folder, and the file in it, that are on no disk."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    def iterdir(self) -> list[Path]:
        return [EXTRA / "C01" / "C01-causal.toml"]

    def __truediv__(self, name: str) -> Written:
        return Written(name, self.text)

    def read_bytes(self) -> bytes:
        return self.text.encode()


@pytest.mark.parametrize(("n", "said"), [(0, "0 problems"), (1, "1 problem"), (2, "2 problems")])
def test_one_problem_is_not_several(n: int, said: str) -> None:
    problem = Problem("A/lecture.toml", 1, "", "is wrong")
    assert NotServed(Unavailable("A", (problem,) * n), ()).detail.endswith(f"cannot be served: {said}")
