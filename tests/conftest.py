"""What every test stands on: an empty home, a bare environment and no network.

``PERDURE_TEST_ALL=1`` asks for the long form: more examples of each property, and the tests that
take minutes.
"""

from __future__ import annotations

import ipaddress
import itertools
import os
import socket
import sys
import time

import pytest
from hypothesis import HealthCheck, settings

# What the tests may know of the environment they are run in; all else would be chance.
KEPT = ("PATH", "TMPDIR", "VIRTUAL_ENV", "CI")
KEPT_PREFIXES = ("PERDURE_TEST_", "PYTEST_", "PYTHON", "COVERAGE_", "HYPOTHESIS_")
FIXED = {"LANG": "C.UTF-8", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1"}

settings.register_profile("quick", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("all", settings.get_profile("quick"), max_examples=120)
settings.load_profile("all" if os.environ.get("PERDURE_TEST_ALL") else "quick")


def pytest_configure():
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    os.environ.update(FIXED)
    time.tzset()
    sys.addaudithook(stay_on_this_machine)


def stay_on_this_machine(event, args):
    """Fail the test that reaches for another machine, however it does so."""
    if event == "socket.connect" and args[0].family in (socket.AF_INET, socket.AF_INET6):
        host = args[1][0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    if not is_this_machine(host):
        pytest.fail(f"reached for {host!r}: tests stay on this machine")


def is_this_machine(host):
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not host or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session")
def homes(tmp_path_factory):
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(homes, monkeypatch):
    """An empty home, new for each test, which ``~`` and ``$HOME`` name."""
    path = next(homes)
    path.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(path))
    return path
