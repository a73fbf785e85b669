"""OpenTelemetry spans of every request, for those who run a collector (`pip install "blockwalk[otel]"`)."""

from __future__ import annotations

from typing import Any

from flask import Flask
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor


def send(app: Flask, endpoint: str) -> None:
    """Send a span for each request but probes to the collector, in batches, from a thread of this process."""
    provider = TracerProvider(resource=Resource.create({"service.name": "blockwalk"}))
    exporter = OTLPSpanExporter(endpoint=endpoint.rstrip("/") + "/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    instrument: Any = FlaskInstrumentor().instrument_app  # untyped
    instrument(app, tracer_provider=provider, excluded_urls="health/.*")
