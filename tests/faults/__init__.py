"""Faults of disks and files by real limits, told in words at every door: command line, inbox, plugin."""
