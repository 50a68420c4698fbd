"""The headless mode: a go-plugin process that serves the store to an agent's host."""
