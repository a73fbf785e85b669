"""`blockwalk serve | trace | check | lectures | openapi | settings | key`."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO

import click

from .errors import BlockwalkError, Fault
from .settings import PREFIX, Settings, SettingsError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="blockwalk", prog_name="blockwalk")  # the engine is not loaded for it
def main() -> None:
    """Walk through a Transformer block: every intermediate, with its name, axes, formula and exact value."""


@main.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", help="Port to listen on.  [default: 8000]")
@click.option("--workers", help="Worker processes.  [default: one for each core]")
@click.option("--public", is_flag=True, help="Allow an address that other machines reach.")
def serve(host: str | None, port: str | None, workers: str | None, public: bool) -> None:
    """Serve over HTTP with gunicorn; `blockwalk settings` lists what can be set by environment variable."""
    chosen = {"HOST": host, "PORT": port, "WORKERS": workers, "PUBLIC": "true" if public else None}
    os.environ.update({PREFIX + name: value for name, value in chosen.items() if value is not None})
    try:
        settings = Settings.from_environment()
    except SettingsError as wrong:
        raise click.ClickException(str(wrong)) from None
    if taken := why_not_listen(settings.host, settings.port):
        raise click.ClickException(
            f"cannot listen on {settings.host} port {settings.port}: {taken}; "
            "BLOCKWALK_PORT or --port names another"
        )
    # The server takes the place of this process, so that signals reach it.
    command = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
    os.execv(sys.executable, command)  # noqa: S606  # no shell, and no argument of the caller's


def why_not_listen(host: str, port: int) -> str | None:
    """What keeps an address from being listened on, told in one line instead of the server's many tries."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return None


@main.command()
@click.argument("example")
@click.option("--step", "steps", multiple=True, help="A step or glob, e.g. norm_2.output; may be repeated.")
@click.option(
    "--token", "tokens", multiple=True, type=click.IntRange(min=0), help="A token; may be repeated."
)
@click.option(
    "--digits", default=6, show_default=True, type=click.IntRange(1, 17), help="Significant digits."
)
def trace(example: str, steps: tuple[str, ...], tokens: tuple[int, ...], digits: int) -> None:
    """Print the trace of EXAMPLE, a name or a JSON file, as a table; no server needed."""
    from .terminal import request_from, table

    try:
        click.echo(table(request_from(example, steps, tokens), digits))
    except BlockwalkError as wrong:
        raise click.ClickException("\n".join(fault.detail for fault in wrong.faults)) from None


@main.command("check")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write, not standard output."
)
def check_submissions(file: BinaryIO, output: Path | None) -> None:
    """Grade the submissions in FILE (JSON; - for standard input) as CSV: student, score, first diagnosis.

    No server needed. Submissions that cannot be judged are told on standard error, and make the status 1.
    """
    from .grading import submissions
    from .terminal import json_from

    try:
        rows = submissions.grade(json_from(file.read(), getattr(file, "name", "standard input")))
        with output.open("w", encoding="utf-8", newline="") if output else nullcontext(sys.stdout) as table:
            refused = submissions.write_csv(rows, table)
    except BlockwalkError as wrong:
        raise click.ClickException(told(wrong.faults)) from None
    for row in refused:
        click.echo(f"{row.student}: {told(row.faults)}", err=True)
    if refused:
        sys.exit(1)


@main.command()
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write, not standard output."
)
def openapi(output: Path | None) -> None:
    """Print the OpenAPI document."""
    import orjson

    from .api.openapi import document
    from .app import create_app

    text = orjson.dumps(
        document(create_app(Settings())), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )
    if output:
        output.write_bytes(text)
    else:
        click.echo(text.decode(), nl=False)


@main.command()
@click.option("--markdown", is_flag=True, help="As the table in the README.")
def settings(markdown: bool) -> None:
    """List every setting: its variable, its default and its meaning."""
    rows = []
    for each in fields(Settings):
        default = ",".join(each.default) if isinstance(each.default, tuple) else str(each.default)
        rows.append((PREFIX + each.name.upper(), default, each.metadata["meaning"]))
    if markdown:
        click.echo("| variable | default | meaning |\n|---|---|---|")
        for name, default, meaning in rows:
            click.echo(f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |")
        return
    width = max(len(name) for name, _, _ in rows)
    for name, default, meaning in rows:
        click.echo(f"{name:{width}}  {default:>12}  {meaning}")


@main.command()
@click.argument("name")
@click.option(
    "--units", default=0, type=click.IntRange(min=0), help="Cost units a minute; no limit if left out."
)
def key(name: str, units: int) -> None:
    """Make an API key for NAME; what lets it in goes into the file that BLOCKWALK_KEYS_FILE names."""
    from .access import KeysError, new_key

    try:
        secret, entry = new_key(name, units)
    except KeysError as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(f"# The key, shown this once; give it to {name}:", err=True)
    click.echo(secret, err=True)
    click.echo("# The entry for the file of keys:", err=True)
    click.echo(entry, nl=False)


@main.group()
def lectures() -> None:
    """Check lecture folders, and begin new ones."""


@lectures.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
def check(folder: Path | None) -> None:
    """Say everything that is wrong with the lectures of FOLDER: one of them, or a folder that holds some.

    Without FOLDER: with all that the service would serve, BLOCKWALK_LECTURES included.
    """
    from .lectures import authoring
    from .lectures.catalogue import counted

    places = [str(folder)] if folder else Settings.from_environment().lectures
    verdicts = authoring.check(places, all_lectures=folder is None)
    for verdict in verdicts:
        for problem in verdict.problems:
            click.echo(problem)
        if not verdict.problems:
            click.echo(f"{verdict.id}: sound, {counted(verdict.n_states, 'state')}")
    if any(verdict.problems for verdict in verdicts):
        sys.exit(1)


@lectures.command()
@click.argument("lecture_id", metavar="ID")
@click.option(
    "--into",
    default=Path(),
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to put the folder.  [default: here]",
)
def new(lecture_id: str, into: Path) -> None:
    """Begin lecture ID: write a commented folder that passes the check."""
    from .lectures import authoring

    try:
        click.echo(authoring.start(lecture_id, into))
    except authoring.CannotStart as why:
        raise click.ClickException(str(why)) from None


def told(faults: Iterable[Fault]) -> str:
    """Faults for the terminal, one a line."""
    return "\n".join(f"{fault.pointer} {fault.detail}".strip() for fault in faults)


if __name__ == "__main__":
    main()
