"""The commands."""

from __future__ import annotations

import re
import socket
from dataclasses import fields
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from service.cli import main
from service.settings import PREFIX, Settings

OPENAPI = Path(__file__).parent.parent / "openapi" / "openapi.json"


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output
    return result.output


def test_the_decimal_points_of_a_trace_stand_under_each_other() -> None:
    heading, *lines = run("trace", "lecture-05", "--token", "0").splitlines()
    assert heading.split() == ["step", "symbol", "row", "value"]
    points = {
        found.start()
        for line in lines
        for found in re.finditer(r"(?<=\d)\.(?=\d)", line.replace("\u0302", ""))
    }
    assert 1 < len(points) <= 6


def test_symbols_are_printed_as_on_the_board() -> None:
    lines = run("trace", "lecture-05", "--token", "0").splitlines()
    symbols = {line.split()[0]: line.split()[1] for line in lines}
    assert (symbols["norm_1.mean"], symbols["norm_1.variance"]) == ("μ", "σ²")
    assert not any("\\" in line for line in lines)


def test_one_step_of_the_trace_is_the_lecture_s_number() -> None:
    _, line = run("trace", "lecture-05", "--step", "norm_1.output", "--digits", "7").splitlines()
    assert line.split()[-4:] == ["1.170705", "0.6495892", "−0.3854191", "−1.434875"]


def test_an_unknown_example_or_step_is_told_what_there_is() -> None:
    assert "lecture-05-causal" in run("trace", "lecture-5", status=1)
    assert "norm_1.output" in run("trace", "lecture-05", "--step", "norm_3.output", status=1)


def test_a_trace_request_in_a_file_is_traced(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_text('{"x": [[3]], "block": {"n_heads": 1, "d_ff": 1}, "select": ["x"]}')
    assert run("trace", str(path)).split()[-1] == "3"


def test_the_committed_openapi_document_is_the_one_that_the_code_makes() -> None:
    assert orjson.loads(run("openapi")) == orjson.loads(OPENAPI.read_bytes()), "run `make openapi`"


def test_the_table_of_settings_in_the_readme_is_the_one_that_the_code_makes() -> None:
    page = (OPENAPI.parent.parent / "README.md").read_text()
    table = page.partition("<!-- settings -->\n")[2].partition("<!-- end of settings -->")[0]
    assert table.strip() == run("settings", "--markdown").strip(), "run `make readme`"


def test_every_setting_is_listed() -> None:
    listed = run("settings")
    assert all(f"{PREFIX}{each.name.upper()} " in listed for each in fields(Settings))


def test_a_port_in_use_is_told_in_one_line() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        told = run("serve", "--port", port, status=1)
    assert re.fullmatch(rf"Error: cannot listen on 127\.0\.0\.1 port {port}: .*--port names another\n", told)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5"])
def test_a_public_address_is_refused_with_what_it_would_open(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLOCKWALK_HOST", "127.0.0.1")  # so that what the command sets is undone
    said = run("serve", "--host", host, status=1)
    assert host in said
    assert "no API key is asked for, no limit on how often" in said
    assert "--public" in said


def test_a_lecture_is_begun_checked_and_found_wanting(tmp_path: Path) -> None:
    file = Path(run("lectures", "new", "R46", "--into", str(tmp_path)).strip())
    assert run("lectures", "check", str(tmp_path)) == "R46: sound, 2 states\n"
    file.write_text(file.read_text(encoding="utf-8").replace("norm_1.mean", "norm_9.mean"), encoding="utf-8")
    told = run("lectures", "check", str(file.parent), status=1)
    assert re.match(r"R46/lecture\.toml:\d+: statistics\.mean\.step: there is no step 'norm_9\.mean'", told)
    assert "is there already" in run("lectures", "new", "R46", "--into", str(tmp_path), status=1)


def test_a_lecture_of_one_state_is_told_in_the_singular(tmp_path: Path) -> None:
    file = Path(run("lectures", "new", "R46", "--into", str(tmp_path)).strip())
    text = file.read_text(encoding="utf-8")
    for begin, end in (("[states.b1]", "# A concept"), ("[variants.pre.states.b1]", "# -- text under")):
        text = text[: text.index(begin)] + text[text.index(end) :]
    file.write_text(text, encoding="utf-8")
    assert run("lectures", "check", str(tmp_path)) == "R46: sound, 1 state\n"


def test_without_a_folder_all_that_would_be_served_is_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run("lectures", "new", "R46", "--into", str(tmp_path))
    monkeypatch.setenv("BLOCKWALK_LECTURES", f"{tmp_path}, {tmp_path / 'nowhere'}")
    told = run("lectures", "check", status=1)
    assert [line.partition(":")[0] for line in told.splitlines()] == ["R44", "R45", "R46", "nowhere"]
