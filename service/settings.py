"""Environment -> typed settings. Every limit is a field here, with its default and its meaning.

`BLOCKWALK_PORT=8080` sets `port`, and so on. A value that cannot be right, or a `BLOCKWALK_` name that
nothing reads, raises `SettingsError`, whose text is one line that says which and why.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, get_type_hints

from environs import Env, EnvValidationError
from marshmallow import ValidationError, validate

PREFIX = "BLOCKWALK_"
MIB = 1024 * 1024

# Kubernetes describes every service of a namespace in variables of this form, ours among them.
SERVICE_LINK = re.compile(r"BLOCKWALK_(\w+_)?(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP)\w*)")
ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")


class SettingsError(Exception):
    """The environment asks for something that cannot be; the text is one clear line."""


def origins(values: tuple[str, ...]) -> None:
    """Web origins as browsers send them: scheme, host and port, nothing after them."""
    for value in values:
        if not ORIGIN.fullmatch(value):
            raise ValidationError(f"{value!r} is no origin like https://example.org")


def between(least: float, most: float | None = None) -> Callable[[Any], Any]:
    return validate.Range(min=least, max=most)


def above(least: float) -> Callable[[Any], Any]:
    return validate.Range(min=least, min_inclusive=False)


def setting(default: Any, meaning: str, check: Callable[[Any], Any] | None = None) -> Any:
    """One setting: its value unless the environment says otherwise, its meaning, and what values it takes."""
    return field(default=default, metadata={"meaning": meaning, "check": check})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a deployment may choose."""

    host: str = setting("127.0.0.1", "address to listen on", validate.Length(min=1))
    port: int = setting(8000, "port to listen on", between(0, 65535))
    public: bool = setting(False, "whether `host` and `metrics_host` may be addresses that others reach")
    proxies: int = setting(
        0, "reverse proxies in front, whose X-Forwarded headers are believed", between(0, 8)
    )
    cors_origins: tuple[str, ...] = setting(
        (), "origins, separated by commas, whose pages may call the service", origins
    )
    lectures: tuple[str, ...] = setting((), "folders, separated by commas, that hold further lectures", None)

    workers: int = setting(0, "worker processes; 0 for one a core", between(0))
    threads: int = setting(8, "threads of one worker", between(1))
    preload: bool = setting(True, "whether workers share the memory of code that is loaded once")
    connections: int = setting(1000, "connections that one worker keeps open", between(1))
    backlog: int = setting(2048, "connections that may wait to be accepted", between(1))
    keepalive_seconds: int = setting(75, "seconds that an idle connection is kept", between(0))
    silence_seconds: int = setting(60, "seconds without a sign of life before a worker is killed", between(1))
    graceful_seconds: int = setting(30, "seconds in which a stopping worker ends its requests", between(1))
    max_requests: int = setting(50_000, "requests after which a worker is replaced; 0 for never", between(0))
    max_requests_jitter: int = setting(5_000, "most requests by which workers differ in that", between(0))
    max_request_line: int = setting(4094, "longest request line, in bytes", between(512, 8190))
    max_headers: int = setting(64, "most headers of a request", between(16, 32768))
    max_header_bytes: int = setting(8190, "longest header", between(1024))
    memory_directory: str = setting(
        "", "directory for heartbeats and counts; /dev/shm, where there is one, if empty"
    )

    keys_file: str = setting("", "file of API keys, hashed; none if empty")
    keys_required: bool = setting(False, "whether POST asks for an API key")
    rate_units: int = setting(0, "cost units a minute for a caller without a key; 0 for no limit", between(0))
    rate_store: str = setting(
        "memory://",
        "where spent units are counted: memory:// or redis://host:6379 (Valkey too)",
        validate.Regexp(r"(memory://$|rediss?://.)", error="is neither memory:// nor redis://host:port"),
    )

    log_level: str = setting(
        "info", "least level that is logged", validate.OneOf(("debug", "info", "warning", "error"))
    )
    log_format: str = setting("text", "text for people, json for machines", validate.OneOf(("text", "json")))
    metrics_host: str = setting("127.0.0.1", "address that answers to Prometheus", validate.Length(min=1))
    metrics_port: int = setting(0, "its port; 0 for no metrics", between(0, 65535))
    otlp_endpoint: str = setting("", "OpenTelemetry collector, e.g. http://collector:4318; none if empty")

    max_json_bytes: int = setting(2 * MIB, "longest JSON body", between(1024))
    max_binary_bytes: int = setting(64 * MIB, "longest safetensors body", between(1024))
    max_depth: int = setting(64, "deepest nesting of a JSON body", between(8, 512))
    max_tensors: int = setting(1024, "most tensors in one safetensors body", between(1))
    max_elements: int = setting(20_000_000, "most numbers that one request may have computed", between(1))
    max_bytes: int = setting(256 * MIB, "most bytes that these numbers may take", between(1))
    max_json_numbers: int = setting(
        4_000_000, "most numbers in one JSON answer; safetensors has no such limit", between(1)
    )
    max_multiply_adds: int = setting(10_000_000_000, "most multiply-adds of one request", between(1))
    deadline_seconds: float = setting(20.0, "seconds after which a computation is given up", above(0))
    max_concurrent: int = setting(2, "computations at once in one worker", between(1))
    queue_seconds: float = setting(2.0, "seconds that a computation waits for its turn", between(0))

    @classmethod
    def from_environment(cls) -> Settings:
        """Read the `BLOCKWALK_` variables. Raises `SettingsError` naming every one that is wrong."""
        named = {PREFIX + each.name.upper(): each for each in fields(cls)}
        for name in sorted(os.environ):
            if name.startswith(PREFIX) and name not in named and not SERVICE_LINK.fullmatch(name):
                raise SettingsError(f"there is no setting {name}; there is {', '.join(named)}")
        env, types = Env(eager=False), get_type_hints(cls)
        parsers: dict[Any, Callable[..., Any]] = {
            int: env.int,
            float: env.float,
            str: env.str,
            bool: env.bool,
            tuple[str, ...]: split(env),
        }
        values = {
            each.name: parsers[types[each.name]](name, each.default, validate=each.metadata["check"])
            for name, each in named.items()
            if each.default is not MISSING
        }
        try:
            env.seal()
        except EnvValidationError as wrong:
            said: Any = wrong.error_messages  # a mapping, whatever the annotation allows
            raise SettingsError(
                "; ".join(
                    f"{name}={os.environ[name]!r}: {' '.join(map(str, why))}" for name, why in said.items()
                )
            ) from None
        made = cls(**values)
        made.refuse_unmeant_exposure()
        made.refuse_contradictions()
        return made

    def refuse_unmeant_exposure(self) -> None:
        """Raise `SettingsError` for a public address that nobody asked to be public."""
        for name, host in (("HOST", self.host), ("METRICS_HOST", self.metrics_host)):
            if not is_loopback(host) and not self.public:
                raise SettingsError(
                    f"{PREFIX}{name}={host!r} opens the service to all who reach this machine "
                    f"({self.openness()}); if that is meant, say {PREFIX}PUBLIC=true or "
                    "`blockwalk serve --public`"
                )

    def refuse_contradictions(self) -> None:
        """Raise `SettingsError` where two settings cannot both be meant."""
        longest = self.deadline_seconds + self.queue_seconds
        for name in ("silence_seconds", "graceful_seconds"):
            if getattr(self, name) <= longest:
                raise SettingsError(
                    f"{PREFIX}{name.upper()}={getattr(self, name)} is no longer than a request may take "
                    f"({longest:g} s: deadline_seconds and queue_seconds)"
                )
        if self.keys_required and not self.keys_file:
            raise SettingsError(f"{PREFIX}KEYS_REQUIRED=true needs {PREFIX}KEYS_FILE")
        if self.metrics_port and self.metrics_port == self.port:
            raise SettingsError(f"{PREFIX}METRICS_PORT={self.metrics_port} is the port of the service itself")

    def openness(self) -> str:
        """What a caller without a key may do, in a few words."""
        asked = "POST asks for an API key" if self.keys_required else "no API key is asked for"
        units = f"{self.rate_units} cost units a minute" if self.rate_units else "no limit on how often"
        return f"{asked}, {units}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def split(env: Env) -> Callable[..., Any]:
    """A parser for values separated by commas; blanks around them and an empty text mean nothing."""

    def parse(name: str, default: tuple[str, ...], validate: Callable[[Any], Any] | None) -> tuple[str, ...]:
        parts: list[str] = env.list(
            name, list(default), validate=lambda read: validate and validate(tidy(read))
        )
        return tidy(parts or [])

    def tidy(parts: list[str]) -> tuple[str, ...]:
        return tuple(part.strip() for part in parts if part.strip())

    return parse
