"""The HTTP rooms. A room is a blueprint; `BLUEPRINTS` is the one list of them."""

from __future__ import annotations

from . import block, docs, examples, grading, operations

BLUEPRINTS = (block.blp, examples.blp, grading.blp, operations.blp, docs.blp)
