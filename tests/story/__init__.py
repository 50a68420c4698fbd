"""One memory through several doors."""
