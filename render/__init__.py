"""Text in, trees out: no I/O, no store, no UI."""
