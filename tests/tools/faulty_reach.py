"""In the place of ssh: runs a command "on" a node of this machine, and plays what is wrong with that node.

faulty_reach.py FAULTS NODE COMMAND...; FAULTS is JSON: {"127.0.0.12": "unreachable", "127.0.0.13": "cut 127.0.0.14"}
"""

import json
import os
import shlex
import sys
import time

CUT = """
import socket
connect = socket.socket.connect
def cut(self, address):
    if {whom!r} in ("", address[0]) and address[0] != {me!r}:
        raise ConnectionRefusedError("no route")
    return connect(self, address)
socket.socket.connect = cut
"""
CORRUPT = """
import socket
send = socket.socket.send
def spoilt(self, data, *flags):
    return send(self, bytes(data[:-1]) + bytes([data[-1] ^ 1]) if len(data) > 1000 else data, *flags)
socket.socket.send = spoilt
"""
NONSENSE = "print('Welcome to this node!', flush=True)"
REST = "\nimport runpy, sys\nsys.argv = {argv!r}\nrunpy.run_path(sys.argv[0], run_name='__main__')\n"


def reach(**faults):
    """Give the command for policy.toml; faults by the last part of a node's address: n12="unreachable"."""
    played = {f"127.0.0.{number.lstrip('n')}": fault for number, fault in faults.items()}
    return shlex.join([sys.executable, "-I", "-S", os.path.abspath(__file__), json.dumps(played)])


def launcher(**faults):
    """Give the same as an engine's launcher."""
    return (*shlex.split(reach(**faults)), "{nodes}")


def main():
    faults, node, command = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3:]
    fault, _, whom = faults.get(node, "").partition(" ")
    if fault == "unreachable":
        sys.exit(255)
    if fault == "hangs":
        time.sleep(3600)
    played = {
        "cut": CUT.format(whom=whom, me=node),
        "corrupts": CORRUPT,
        "greets": NONSENSE,
    }.get(fault)
    if played is not None:
        at = next(place for place, word in enumerate(command) if word.endswith(".py"))
        command = [*command[:at], "-c", played + REST.format(argv=command[at:])]
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
