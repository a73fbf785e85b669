"""The pages on which the contract is read."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient


def test_the_document_is_served_as_it_is_committed(client: FlaskClient) -> None:
    document = client.get("/openapi.json").get_json()
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["license"]["identifier"] == "Apache-2.0"


def test_everything_on_the_page_comes_from_this_service(client: FlaskClient) -> None:
    page = client.get("/docs").get_data(as_text=True)
    wanted = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(wanted) > 4
    for address in wanted:
        assert address.startswith("/")
        with client.get(address) as answer:
            assert answer.status_code == 200, address
    assert "<script>" not in page
    assert "style=" not in page


@pytest.mark.parametrize("name", ["..%2fdocs.py", "docs.py", "nothing.js", "%2e%2e/app.py"])
def test_nothing_else_is_served_beside_the_page(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/docs/{name}")
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
