"""The line to Ray, where there is no Ray: who is told what, and how soon."""

import socket

import pytest

from schedmate.clusters.ray.link import is_refused


def test_an_address_where_nobody_listens_is_known_at_once_and_no_other_is_called_so():
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        assert not is_refused(f"{host}:{port}")
    assert is_refused(f"{host}:{port}")


@pytest.mark.parametrize("address", ["auto", "ray", "host:port", "127.0.0.1:", ""])
def test_what_is_no_address_is_left_to_ray(address):
    assert not is_refused(address)
