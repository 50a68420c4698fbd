"""The command line: one module for each group of commands, all over the same provider seam."""
