"""The inbox line by line: numbered and append-only, for screen readers and pipes, without the app."""
