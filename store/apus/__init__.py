"""The door of the Apus host: a bridge process for its plugin, and who may read what through it.

Nothing here approves, rejects or configures: what this door writes are drafts.
"""
