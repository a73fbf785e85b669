"""What the service says of itself to those who run it: logs, metrics, spans."""
