"""Bodies that no honest client sends, by what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

X = "[[1,2],[3,4]]"


def trace(**fields: Any) -> bytes:
    return json.dumps(
        {"block": {"n_heads": 1, "d_ff": 2}, "seed": 1, "x": [[1, 2], [3, 4]], **fields}
    ).encode()


def block(**fields: Any) -> bytes:
    return trace(block={"n_heads": 1, "d_ff": 2, **fields})


def raw(x: str) -> bytes:
    return b'{"block":{"n_heads":1,"d_ff":2},"seed":1,"x":' + x.encode("utf-8", "surrogatepass") + b"}"


def not_json() -> Iterator[tuple[str, bytes]]:
    """Bodies that cannot be read: 400."""
    yield "empty", b""
    yield "blank", b" \n\t "
    yield "open object", b"{"
    yield "open array", b"["
    yield "open string", b'{"x'
    yield "open value", b'{"x":'
    yield "truncated trace", trace()[:-1]
    yield "truncated number", b'{"seed":1.'
    yield "two texts", b"{}{}"
    yield "text after the end", b"{} x"
    yield "a comment", b"{/* x */}"
    yield "a hash comment", b"{} # x"
    yield "trailing comma", b'{"x":[1,]}'
    yield "leading comma", b"[,1]"
    yield "single quotes", b"{'x':1}"
    yield "bare key", b"{x:1}"
    yield "python literals", b'{"x":None}'
    yield "undefined", b'{"x":undefined}'
    yield "hexadecimal", raw("[[0x10]]")
    yield "octal", raw("[[010]]")
    yield "plus sign", raw("[[+1]]")
    yield "bare point", raw("[[.5]]")
    yield "bare exponent", raw("[[1e]]")
    yield "underscores", raw("[[1_000]]")
    yield "single-quoted number", raw("[['1']]")
    for spelled in ("NaN", "nan", "NAN", "Infinity", "-Infinity", "inf", "-inf", "1.#INF", "1.#QNAN", "-NaN"):
        yield f"bare {spelled}", raw(f"[[{spelled}]]")
    yield "1e400", raw("[[1e400]]")
    yield "-1e400", raw("[[-1e400]]")
    yield "1e99999999999", raw("[[1e99999999999]]")
    yield "10^400 in full", raw("[[1" + "0" * 400 + "]]")
    yield "an integer of 5,000 digits", raw("[[" + "9" * 5000 + "]]")
    yield "an integer of a million digits", raw("[[" + "9" * 1_000_000 + "]]")
    yield "a seed of 5,000 digits", b'{"seed":' + b"1" * 5000 + b"}"
    yield "arrays 100,000 deep", b"[" * 100_000
    yield "arrays 100,000 deep, closed", b"[" * 100_000 + b"]" * 100_000
    yield "objects 100,000 deep", b'{"a":' * 100_000
    yield "objects 900 deep, closed", b'{"block":' * 900 + b"1" + b"}" * 900
    yield "x 200 deep", raw("[" * 200 + "1" + "]" * 200)
    yield "mask 900 deep", b'{"block":{"mask":' + b'{"keep":' * 900 + b"1" + b"}" * 902
    yield "mixed 100,000 deep", b'[{"a":' * 50_000
    yield "a key twice", b'{"seed":1,"seed":2}'
    yield "a key twice by escape", b'{"seed":1,"s\\u0065ed":2}'
    yield "a key twice inside", b'{"block":{"n_heads":1,"n_heads":1}}'
    yield "a key twice in a list", b'{"interventions":[{"step":"x","step":"x","set":0}]}'
    yield "a key 100,000 times", b"{" + b",".join([b'"a":1'] * 100_000) + b"}"
    yield "utf-16", trace().decode().encode("utf-16")
    yield "utf-16 without mark", trace().decode().encode("utf-16-le")
    yield "utf-32", trace().decode().encode("utf-32")
    yield "byte order mark", b"\xef\xbb\xbf" + trace()
    yield "latin-1", '{"example":"é"}'.encode("latin-1")
    yield "truncated utf-8 of two", b'{"example":"\xc3"}'
    yield "truncated utf-8 of three", b'{"example":"\xe4\xb8"}'
    yield "truncated utf-8 of four", b'{"example":"\xf0\x9f\x98"}'
    yield "truncated at the end", b'{"example":"\xe4'
    yield "overlong utf-8", b'{"example":"\xc0\xaf"}'
    yield "utf-8 beyond unicode", b'{"example":"\xf5\x80\x80\x80"}'
    yield "surrogate in utf-8", b'{"example":"\xed\xa0\x80"}'
    yield "lone high surrogate", b'{"example":"\\ud800"}'
    yield "lone low surrogate", b'{"example":"\\udc00"}'
    yield "surrogates swapped", b'{"example":"\\udc00\\ud800"}'
    yield "broken escape", b'{"example":"\\u12"}'
    yield "unknown escape", b'{"example":"\\x41"}'
    yield "control character", b'{"example":"\x01"}'
    yield "nul in a string", b'{"example":"\x00"}'
    yield "nul before", b"\x00{}"
    yield "nuls", b"\x00" * 1000
    yield "vertical tab", b"\x0b{}"
    yield "no-break space", b"\xc2\xa0{}"
    yield "a form", b"x=1&y=2"
    yield "html", b"<html></html>"
    yield "xml", b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'
    yield "yaml", b"x: &a [*a]\n"
    yield "pickle", b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94."
    yield "gzip", bytes.fromhex("1f8b0800000000000003abae05000000ffff") + b"\x00" * 20
    yield "zip bomb's beginning", b"PK\x03\x04" + b"\x00" * 64
    yield "random bytes", bytes(range(256)) * 8


def wrong() -> Iterator[tuple[str, bytes]]:
    """Bodies that are JSON, and no request: 422."""
    for spelled in ("null", "true", "0", '"x"', "[]", "[[]]"):
        yield f"the body {spelled}", spelled.encode()
    yield "unknown field", trace(exec="rm")
    yield "__proto__", trace(__proto__={"polluted": True})
    yield "constructor", trace(constructor={"prototype": {}})
    yield "__class__", block(__class__="x")
    yield "unknown field of 100,000 characters", trace(**{"a" * 100_000: 1})
    yield "10,000 unknown fields", trace(**{f"f{i}": i for i in range(10_000)})
    yield "a key of escapes", b'{"\\u0000\\u0001\\uffff":1}'
    yield "a key of slashes and tildes", trace(**{"~/~~//": 1})
    yield "ragged", raw("[[1,2],[3]]")
    yield "ragged below", raw("[[[1],[2]],[[1]]]")
    yield "ragged by a number", raw("[[1,2],3]")
    yield "ragged, deep behind a number", raw("[[1,2],[3," + "[" * 50 + "1" + "]" * 50 + "]]")
    yield "a number", raw("3")
    yield "no rows", raw("[]")
    yield "empty rows", raw("[[],[]]")
    yield "a million empty rows", raw("[" + ",".join(["[]"] * 600_000) + "]")
    yield "too many dimensions", raw("[" * 40 + "1" + "]" * 40)
    for value in ('"1"', "true", "null", "{}", '"NaN"', '"-Infinity"', '"Infinity"', '""', "[1]"):
        yield f"x with {value}", raw(f"[[1,{value}]]")
    yield "an object for x", raw('{"0":[1]}')
    yield "2^63 heads", block(n_heads=2**63)
    yield "2^64 heads as a float", block(n_heads=18446744073709551616)
    yield "1e308 heads", block(n_heads=1e308)
    yield "half a head", block(n_heads=0.5)
    yield "negative heads", block(n_heads=-1)
    yield "no heads", block(n_heads=0)
    yield "sizes whose product overflows 64 bits", block(d_ff=2**62, d_head=2**62)
    yield "d_ff of 2^62", block(d_ff=2**62)
    yield "a thousand million features", block(d_ff=10**9)
    yield "a window of minus one", block(window=-1)
    yield "a softcap of zero", block(softcap=0)
    yield "a dropout of one", block(dropout=1)
    yield "a dropout of minus zero point one", block(dropout=-0.1)
    yield "epsilon below zero", block(epsilon=-1e-30)
    yield "a dtype that is a path", block(dtype="../../etc/passwd")
    yield "a dtype of objects", block(dtype="O")
    yield "an activation that is code", block(activation="__import__('os')")
    yield "an unknown mask", block(mask="future")
    yield "an empty mask", block(mask={})
    yield "a mask of numbers", block(mask={"keep": [[1, 0], [1, 1]]})
    yield "a mask of strings", block(mask={"keep": [["true", "false"]]})
    yield "a mask of the wrong size", block(mask={"keep": [[True]]})
    yield "a mask with a misspelt NaN", block(mask={"additive": [["nan", 0], [0, 0]]})
    yield "a mask with both and more", block(mask={"keep": [[True]], "also": 1})
    yield "rope and alibi", block(position={"rope": {}, "alibi": True})
    yield "rope with theta 0", block(position={"rope": {"theta": 0}})
    yield "alibi false", block(position={"alibi": False})
    yield "a seed below zero", trace(seed=-1)
    yield "a seed of 2^63", trace(seed=2**63)
    yield "a seed that is text", trace(seed="1")
    yield "a path for an example", trace(example="../../../../etc/passwd")
    yield "an example with a nul", trace(example="lecture-05\x00.toml")
    yield "an example of 100,000 characters", trace(example="a" * 100_000)
    yield "a number for an example", trace(example=5)
    yield "a list for a block", trace(block=[])
    yield "a list for parameters", trace(parameters=[])
    yield "an unknown parameter", trace(parameters={"attention.w_x": [[1]]})
    yield "a parameter of the wrong shape", trace(parameters={"attention.w_q": [[1]]})
    yield "a parameter of three dimensions", trace(parameters={"attention.w_q": [[[1]]]})
    yield "10,000 parameters", trace(parameters={f"p{i}": [1] for i in range(10_000)})
    yield "an intervention on nothing", trace(interventions=[{"step": "attention.hack", "set": 0}])
    yield "an intervention without a step", trace(interventions=[{"set": 0}])
    yield "an intervention that does nothing", trace(interventions=[{"step": "x"}])
    yield "an intervention that does too much", trace(interventions=[{"step": "x", "set": 0, "add": 1}])
    yield "an intervention with text", trace(interventions=[{"step": "x", "set": "0"}])
    yield (
        "an intervention on an axis that is not",
        trace(interventions=[{"step": "x", "set": 0, "where": {"galaxy": [0]}}]),
    )
    yield "an index out of range", trace(interventions=[{"step": "x", "set": 0, "where": {"token": [10**9]}}])
    yield "an index below zero", trace(interventions=[{"step": "x", "set": 0, "where": {"token": [-1]}}])
    yield "80,000 interventions", trace(interventions=[{"step": "x", "add": 1}] * 80_000)
    yield "a thousand globs", trace(select=["*"] * 1000)
    yield "a glob that matches nothing", trace(select=["z*"])
    yield "a glob to backtrack on", trace(select=["*a" * 2000])
    yield "an unclosed class", trace(select=["[" * 1000])
    yield "an empty selection", trace(select=[])
    yield "a selection of numbers", trace(select=[1])
    yield "a token that is not", trace(tokens=[99])
    yield "a token of 2^62", trace(tokens=[2**62])
    yield "no tokens chosen", trace(tokens=[])
    yield "a token twice", trace(tokens=[0, 0])
    yield "text for a flag", trace(include_parameters="yes")
    yield "memory for an encoder", trace(memory=[[1, 2]])
    yield "a right-to-left override", trace(example="\u202electure-05")
    yield "an emoji for a norm", block(norm="🧨")
