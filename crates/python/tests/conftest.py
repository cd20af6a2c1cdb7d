"""Random examples are the same in every run, and leave nothing behind; clusters of the tests ask for no token."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")

# Ray leaves a token in the home of whoever starts a cluster, and from then on asks some of us for it and others not. What the
# tests start listens on loopback alone. It is read when Ray is imported, so it is said here.
os.environ["RAY_AUTH_MODE"] = "disabled"
