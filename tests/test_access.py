"""API keys: hashes in a file, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from service.access import Key, Keys, KeysError, digest, new_key, read_keys
from service.cli import main


def test_a_new_key_opens_what_its_entry_says(tmp_path: Path) -> None:
    key, entry = new_key("course-tools", 600)
    path = tmp_path / "keys.toml"
    path.write_text(entry)
    assert read_keys(path) == {digest(key): Key("course-tools", 600)}


def test_the_entry_does_not_hold_the_key() -> None:
    key, entry = new_key("course-tools", 600)
    assert key not in entry
    assert key.removeprefix("bw_") not in entry


def test_no_two_keys_are_alike() -> None:
    assert len({new_key("a", 0)[0] for _ in range(100)}) == 100


def test_the_command_prints_the_entry_alone_to_standard_output(tmp_path: Path) -> None:
    made = CliRunner().invoke(main, ["key", "lab-7", "--units", "90"])
    path = tmp_path / "keys.toml"
    path.write_text(made.stdout)
    assert list(read_keys(path).values()) == [Key("lab-7", 90)]
    assert "bw_" in made.stderr
    assert "bw_" not in made.stdout


def test_a_name_that_cannot_stand_in_the_file_is_refused() -> None:
    made = CliRunner().invoke(main, ["key", "Lab 7"])
    assert made.exit_code == 1
    assert "'Lab 7'" in made.output


@pytest.mark.parametrize(
    "text",
    [
        "",
        "keys = 3",
        "[keys.a]",
        '[keys.a]\nsha256 = "abc"',
        f'[keys.a]\nsha256 = "{"0" * 64}"\nunits = -1',
        f'[keys.a]\nsha256 = "{"0" * 64}"\nunits = true',
        f'[keys.a]\nsha256 = "{"0" * 64}"\nunit = 5',
        f'[keys.a]\nsha256 = "{"0" * 64}"\n[keys.b]\nsha256 = "{"0" * 64}"',
    ],
)
def test_a_file_that_is_none_of_keys_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    with pytest.raises(KeysError, match=r"keys\.toml: ") as refused:
        read_keys(path)
    assert "\n" not in str(refused.value)


def replaced(path: Path, text: str) -> None:
    """As a mounted secret changes: another file takes the name."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def test_a_key_taken_back_is_unknown_at_once_and_a_broken_file_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    (first, one), (second, two) = new_key("one", 0), new_key("two", 5)
    path.write_text(one)
    keys = Keys(path)
    assert keys.find(first) == Key("one", 0)
    replaced(path, "not toml at all [")
    assert keys.find(first) == Key("one", 0)
    replaced(path, two)
    assert keys.find(first) is None
    assert keys.find(second) == Key("two", 5)
