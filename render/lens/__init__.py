"""The warning lens: what a reviewer should see before believing a text that an agent wrote."""
