"""Every door through which the text of others reaches a terminal, tried with hostile texts."""
