"""What a model may do with the memory, whichever door it comes through. None of it approves or rejects.

The seam: a door makes `store.agents.provider.AgentProvider`, says who writes (`store.records.Origin`) and
who waits (`store.agents.calls.Call`), and hands a tool the arguments that it checked against the tool's
declaration. Arguments, results and schemas are plain JSON values; no wire is known here.
"""
