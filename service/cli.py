"""`blockwalk serve | trace | openapi | settings`."""

from __future__ import annotations

import os
import sys
from dataclasses import fields
from pathlib import Path

import click

from .engine import VERSION
from .errors import BlockwalkError
from .settings import PREFIX, Settings, SettingsError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="blockwalk")
def main() -> None:
    """Walk through a Transformer block: every intermediate, with its name, axes, formula and exact value."""


@main.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", help="Port to listen on.  [default: 8000]")
@click.option("--workers", help="Worker processes.  [default: 2]")
@click.option("--public", is_flag=True, help="Allow an address that other machines reach.")
def serve(host: str | None, port: str | None, workers: str | None, public: bool) -> None:
    """Serve over HTTP with gunicorn; `blockwalk settings` lists what can be set by environment variable."""
    chosen = {"HOST": host, "PORT": port, "WORKERS": workers, "PUBLIC": "true" if public else None}
    os.environ.update({PREFIX + name: value for name, value in chosen.items() if value is not None})
    try:
        Settings.from_environment()
    except SettingsError as wrong:
        raise click.ClickException(str(wrong)) from None
    # The server takes the place of this process, so that signals reach it.
    command = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
    os.execv(sys.executable, command)  # noqa: S606  # no shell, and no argument of the caller's


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
def settings() -> None:
    """List every setting: its variable, its default and its meaning."""
    width = max(len(each.name) for each in fields(Settings)) + len(PREFIX)
    for each in fields(Settings):
        default = ",".join(each.default) if isinstance(each.default, tuple) else each.default
        click.echo(f"{PREFIX + each.name.upper():{width}}  {default!s:>12}  {each.metadata['meaning']}")


if __name__ == "__main__":
    main()
