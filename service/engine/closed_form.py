"""Closed forms: numbers written as a formula, so that none is ever typed rounded.

Arithmetic, `sqrt`, `exp`, `log`, `pi` and defined names; nothing else. The text is parsed, never run.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping

OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log}
MAX_LENGTH = 200


def evaluate(form: str, names: Mapping[str, float] | None = None) -> float:
    """Return the value of a closed form such as `"1 / (2 + exp(-1 / sqrt(2)))"` as a float64.

    Raises `ValueError` saying what in it is no closed form.
    """
    if len(form) > MAX_LENGTH:
        raise ValueError(f"a closed form has at most {MAX_LENGTH} characters")
    try:
        return _value(ast.parse(form, mode="eval").body, {"pi": math.pi, **(names or {})})
    except (SyntaxError, ArithmeticError, RecursionError, ValueError) as error:
        raise ValueError(f"{form!r} is no closed form: {error}") from error


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](_value(argument, names))
    raise ValueError(f"{ast.unparse(node)!r} cannot stand in one")
