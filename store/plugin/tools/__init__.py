"""The tools that a model may call: remember, forget, search. None of them approves or rejects."""
