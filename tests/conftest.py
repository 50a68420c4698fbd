"""Settings for all tests."""

from hypothesis import settings

# No test fails for being slow: times belong into `make bench`.
settings.register_profile("house", deadline=None)
settings.load_profile("house")
