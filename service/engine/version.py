"""The engine's version: part of every answer and of every cache key."""

VERSION = "0.1.0"
