"""What holds for all tests: no deadlines in property tests, and no network outside loopback."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            host = str(address[0])
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise AssertionError(f"a test tried to reach {host}; tests talk to loopback only")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
