"""The shapes of what goes in and what comes out; `requests` are loaded, `answers` are documentation."""
