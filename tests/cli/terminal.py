"""Run a command as a person does: its output, or only its errors, on a terminal of 80 columns."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios


def on_terminal(folder, *arguments, out=None, columns=80, until="", **environment):
    """Give the exit code and what the terminal got; `out` is a file for standard output.

    What goes on for ever is interrupted, as by Ctrl-C, once the words of `until` have been shown.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    names = {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"} | environment
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "schedmate", *map(os.fspath, arguments)],
        stdin=slave, stdout=slave if out is None else out, stderr=slave, cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"} | names,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    try:
        while piece := os.read(master, 65_536):
            shown += piece
            if until and until.encode() in shown:
                process.send_signal(signal.SIGINT)
                until = ""
    except OSError:
        pass  # Linux ends a terminal that nobody holds any more with an error.
    os.close(master)
    return process.wait(), shown.decode("utf-8", "surrogateescape")
