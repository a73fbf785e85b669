"""One request and its answer: where to, how long to wait, when to try again, and which error to raise."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import uniform
from time import sleep
from typing import Any
from urllib.parse import quote, urlsplit

import requests
import requests.auth

from .errors import BlockwalkError, ServiceUnavailable, error_class
from .version import __version__

AGAIN = (429, 503)
TRIES = 4
LONGEST_WAIT = 60.0
"""Seconds, the span over which the service counts; whoever is asked to wait longer is told so at once."""
FIRST_WAIT = 0.5

Timeout = float | tuple[float, float] | None


class Bearer(requests.auth.AuthBase):
    """An API key, sent to the service and to nobody it may redirect to."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.key}"
        return request


class Transport:
    """A base address, a session and a patience."""

    def __init__(
        self, base_url: str, timeout: Timeout, session: requests.Session | None, api_key: str | None
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"base_url should be like http://127.0.0.1:8000, got {base_url!r}")
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self.auth = None if api_key is None else Bearer(api_key)
        self.own_session = session is None
        self.session = session or requests.Session()

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> requests.Response:
        """The answer to one request, a status below 400. Raises the `BlockwalkError` that fits any other.

        Tried again, a few times and after a wait: 429, 503 and a connection that failed. Every operation
        computes and stores nothing, so that asking twice is asking once.
        """
        for attempt in range(1, TRIES + 1):
            failure: BlockwalkError
            try:
                answer = self.session.request(
                    method,
                    self.base_url + path,
                    params=params,
                    headers={"User-Agent": f"blockwalk-client/{__version__}", **(headers or {})},
                    data=data,
                    auth=self.auth,
                    timeout=self.timeout,
                )
            except requests.RequestException as wrong:
                failure = self.unreached(wrong)
                failure.__cause__ = wrong
                again = is_passing(wrong)
            else:
                if answer.request.method != method:  # as browsers do, a redirect made a GET of a POST
                    raise BlockwalkError(f"{self.base_url} has moved: {answer.url} is where it leads")
                if answer.status_code < 400:
                    return answer
                failure = refused(answer)
                again = answer.status_code in AGAIN and failure.type != "deadline-exceeded"
            if not again or attempt == TRIES or (failure.retry_after or 0) > LONGEST_WAIT:
                break
            sleep(waiting(failure.retry_after, attempt))
        raise failure

    def close(self) -> None:
        if self.own_session:
            self.session.close()

    def unreached(self, wrong: requests.RequestException) -> BlockwalkError:
        """The error for an answer that never came."""
        if isinstance(wrong, requests.ReadTimeout):
            return ServiceUnavailable(f"{self.base_url} gave no answer within {self.timeout} seconds")
        if isinstance(wrong, requests.Timeout | requests.ConnectionError):
            return ServiceUnavailable(f"{self.base_url} cannot be reached: is the service running there?")
        if isinstance(wrong, requests.exceptions.ChunkedEncodingError):
            return ServiceUnavailable(f"{self.base_url} broke off in the middle of its answer")
        return BlockwalkError(f"{self.base_url} cannot be asked: {wrong}")


def is_passing(wrong: requests.RequestException) -> bool:
    """Whether trying again may help: the connection failed. A slow answer is slow the second time, too."""
    if isinstance(wrong, requests.exceptions.SSLError):
        return False
    return isinstance(wrong, requests.ConnectionError | requests.exceptions.ChunkedEncodingError)


def refused(answer: requests.Response) -> BlockwalkError:
    """The error for an answer with a status of 400 or more."""
    problem = problem_of(answer)
    kind = str(problem.get("type", "")).rpartition("/")[2]
    return error_class(answer.status_code, kind)(
        str(problem.get("detail") or f"{answer.status_code} {answer.reason} from {answer.url}"),
        problem=problem,
        status=answer.status_code,
        request_id=problem.get("request_id") or answer.headers.get("X-Request-ID"),
        retry_after=seconds(answer.headers.get("Retry-After")),
    )


def problem_of(answer: requests.Response) -> dict[str, Any]:
    """The problem document, or nothing where a proxy answered in the service's stead."""
    try:
        problem = answer.json()
    except requests.JSONDecodeError:
        return {}
    return problem if isinstance(problem, dict) else {}


def seconds(retry_after: str | None) -> float | None:
    """What a Retry-After header says, a number of seconds or a date, in seconds from now."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def waiting(retry_after: float | None, attempt: int) -> float:
    """Seconds before the next attempt: as asked, else twice as long each time; a whole class that was
    sent away at once does not come back at once."""
    wait = FIRST_WAIT * 2 ** (attempt - 1) if retry_after is None else retry_after
    return wait + uniform(0, 0.25)  # noqa: S311  # spreads load, hides nothing


def escaped(name: str) -> str:
    """A name as one segment of a path."""
    return quote(name, safe="")
