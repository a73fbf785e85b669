"""How much a caller may spend in a minute, in cost units, whoever answers: counted in memory or in Redis.

A request costs one unit, and one more for each 10 million multiply-adds and each 100,000 numbers that it has
computed; that part is charged before anything is computed. A caller is an API key, or else an address (of
IPv6 the /64 that one subscriber has). While Redis cannot be reached every process counts for itself: limits
are looser then, the service stays up.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import time
from typing import Any

from flask import Flask, Response, current_app, g, request
from flask_limiter import ApplicationLimit, Limiter, RequestLimit
from limits import RateLimitItemPerMinute

from ..access import Key, Keys
from ..engine import Estimate
from ..errors import TooManyUnits, Unauthorized
from ..settings import Settings
from .account import account
from .problems import answer

MULTIPLY_ADDS, ELEMENTS = 10_000_000, 100_000
SCOPE = "units"
REDIS: dict[str, Any] = {"socket_timeout": 0.25, "socket_connect_timeout": 0.25}
log = logging.getLogger(__name__)


def units(estimate: Estimate) -> int:
    """What a computation costs on top of the request itself."""
    return estimate.multiply_adds // MULTIPLY_ADDS + estimate.elements // ELEMENTS


class Rates:
    """Knows callers and charges them."""

    def __init__(self, app: Flask, of: Settings, keys: Keys | None) -> None:
        self.of, self.keys = of, keys
        app.before_request(self.admit)
        self.limiter = Limiter(
            caller,
            application_limits=[ApplicationLimit(lambda: f"{limit()} per minute", scope=SCOPE)],
            strategy="sliding-window-counter",
            storage_uri=of.rate_store,
            storage_options={} if of.rate_store.startswith("memory") else REDIS,
            key_prefix="blockwalk",
            in_memory_fallback_enabled=True,
            swallow_errors=True,  # of two requests that find the store gone, the first falls back
            on_breach=refused,
        )
        self.limiter.request_filter(unlimited)
        self.limiter.init_app(app)

    def admit(self) -> None:
        """Find out who calls. Raises `Unauthorized` for a key that nobody has, or one that is missing."""
        g.units = self.of.rate_units
        g.caller = f"address:{network(request.remote_addr or '')}"
        account().units = 1
        if self.keys is None:
            return
        sent = credential()
        key = self.keys.find(sent) if sent else None
        if sent and key is None:
            raise Unauthorized("this API key is not known")
        if key is not None:
            self.know(key)
        elif self.of.keys_required and request.method == "POST":
            raise Unauthorized("computing takes an API key: send Authorization: Bearer <key>")

    def know(self, key: Key) -> None:
        account().caller = key.name
        g.caller, g.units = f"key:{key.name}", key.units

    def charge(self, more: int) -> None:
        """Charge the caller for what is about to be computed. Raises `TooManyUnits`."""
        account().units += more
        if unlimited() or not more:
            return
        item = RateLimitItemPerMinute(limit())
        whole = ("blockwalk", caller(), SCOPE)
        try:
            # Who asks for more than a minute's worth gets it once a minute.
            granted = self.limiter.limiter.hit(item, *whole, cost=min(more, item.amount - 1))
        except Exception as down:  # noqa: BLE001  # whatever a store raises; the next request falls back
            log.warning("cost units could not be counted: %s", down)
            return
        if not granted:
            raise TooManyUnits(limit(), account().units, self.seconds_until_more(item, whole))

    def seconds_until_more(self, item: RateLimitItemPerMinute, whole: tuple[str, ...]) -> int:
        try:
            reset = self.limiter.limiter.get_window_stats(item, *whole).reset_time
        except Exception:  # noqa: BLE001  # as above: a guess does
            return 1
        return min(60, max(1, math.ceil(reset - time.time())))


def caller() -> str:
    """Whose units are spent."""
    return str(g.caller)


def limit() -> int:
    """How many units the caller may spend a minute."""
    return int(g.units)


def unlimited() -> bool:
    """Whether nobody counts: no limit for this caller, or a probe."""
    return not g.get("units") or request.path.startswith("/health/")


def refused(breached: RequestLimit) -> Response:
    """The answer to a caller who has spent everything."""
    wait = min(60, max(1, breached.reset_at - int(time.time())))
    return answer(TooManyUnits(limit(), account().units, wait))


def credential() -> str:
    """The key that was sent, if any: `Authorization: Bearer`, or `X-API-Key`."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else request.headers.get("X-API-Key", "")


def network(address: str) -> str:
    """An address as one caller; of IPv6 the /64."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    return str(known if known.version == 4 else ipaddress.ip_network((int(known) >> 64 << 64, 64)))


def charge(estimate: Any) -> None:
    """Charge the caller of this request for a computation, once: for the first estimate, which covers all."""
    rates: Rates | None = current_app.extensions["blockwalk"].get("rates")
    if rates is not None and "charged" not in g:
        g.charged = True
        rates.charge(units(estimate))
