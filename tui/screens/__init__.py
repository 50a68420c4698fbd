"""The screens of the app, one a module; each names its actions through `tui.actions`."""
