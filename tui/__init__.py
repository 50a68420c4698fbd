"""What an operator sees: the command line and the Textual app."""
