"""The HTTP rooms. A room is a blueprint; `BLUEPRINTS` is the one list of them."""

from __future__ import annotations

from . import block, docs, examples, grading, lectures, operations, player

BLUEPRINTS = (block.blp, examples.blp, lectures.blp, grading.blp, operations.blp, docs.blp, player.blp)
