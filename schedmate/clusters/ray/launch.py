"""Run a command once on each of some nodes of Ray: `ADDRESS NAME=ID,... NAME,... -- COMMAND`.

Each gets this process's input as it comes, and what they print comes out here. The status is other than 0 if any of
them failed. All end when this process does: Ray ends the actors of a driver that is gone, and with its actor a command.
"""

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

PR_SET_PDEATHSIG = 1
HEAR_S = 1.0
MOST_BYTES = 1 << 16


class Hand:
    """Runs the command on its node."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: str) -> None:
        self.said: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        self.child: subprocess.Popen[bytes] | None = None
        try:
            self.child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                cwd=folder if os.path.isdir(folder) else "/", preexec_fn=end_with_parent,
            )  # fmt: skip
        except OSError as error:
            self.said.put((2, f"{command[0]}: {error}\n".encode()))
            self.readers = list[Thread]()
            return
        pipes = ((1, self.child.stdout), (2, self.child.stderr))
        self.readers = [Thread(target=self.read, args=pair, daemon=True) for pair in pipes]
        for reader in self.readers:
            reader.start()

    def read(self, number: int, pipe: IO[bytes]) -> None:
        """Take in what the command prints."""
        while data := os.read(pipe.fileno(), MOST_BYTES):
            self.said.put((number, data))

    def give(self, data: bytes) -> None:
        """Hand it its input; nothing: there is no more."""
        if self.child is not None and self.child.stdin is not None:
            with suppress(OSError):
                self.child.stdin.write(data)
                self.child.stdin.flush() if data else self.child.stdin.close()

    def hear(self) -> tuple[list[tuple[int, bytes]], int | None]:
        """Give what it has printed since, and its status once it has ended and all is told."""
        said = list[tuple[int, bytes]]()
        with suppress(Empty):
            said.append(self.said.get(timeout=0.05 if self.is_over() else HEAR_S))
            while True:
                said.append(self.said.get_nowait())
        if said or not self.is_over():
            return said, None
        return said, 127 if self.child is None else self.child.wait()

    def is_over(self) -> bool:
        """Tell whether nothing more will be printed."""
        return not any(reader.is_alive() for reader in self.readers)


def end_with_parent() -> None:
    """Let the kernel end this process as soon as the actor that started it is gone."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def hand_in(hands: list[Any]) -> None:  # Any: handles of Ray's actors have no types
    """Give this process's input to all."""
    while True:
        data = os.read(0, MOST_BYTES)
        ray.get([hand.give.remote(data) for hand in hands])
        if not data:
            return


def follow(hand: Any, answers: int) -> int:  # Any: as above
    """Print what one of them prints, and give its status."""
    while True:
        try:
            said, code = ray.get(hand.hear.remote())
        except ray.exceptions.RayError as error:
            write(2, f"schedmate: {type(error).__name__}\n".encode())
            return 1
        for number, data in said:
            write(answers if number == 1 else 2, data)
        if code is not None:
            return int(code)


def write(number: int, text: bytes) -> None:
    """Write all of it."""
    while text:
        text = text[os.write(number, text) :]


def main() -> None:
    """Run, hand on, and say whether all went well."""
    address, ids, names, _, *command = sys.argv[1:]
    known = dict(word.split("=", 1) for word in ids.split(",") if word)
    missing = [name for name in names.split(",") if name not in known]
    if missing:
        sys.exit(f"schedmate: {', '.join(missing)} is not up")
    answers = os.dup(1)
    os.dup2(2, 1)  # what Ray prints is nobody's answer
    ray.init(address=address, log_to_driver=False, configure_logging=False)
    kind, hands = ray.remote(num_cpus=0, max_restarts=0, max_concurrency=4)(Hand), list[Any]()
    for name in names.split(","):
        there = NodeAffinitySchedulingStrategy(known[name], soft=False)
        environment = {**os.environ, "SCHEDMATE_NODE": name}
        hands.append(kind.options(scheduling_strategy=there).remote(command, environment, os.getcwd()))
    Thread(target=hand_in, args=(hands,), daemon=True).start()
    codes = [0] * len(hands)

    def note(place: int) -> None:
        codes[place] = abs(follow(hands[place], answers))

    threads = [Thread(target=note, args=(place,)) for place in range(len(hands))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os._exit(min(max(codes), 255))  # a thread that waits for input keeps nobody


if __name__ == "__main__":
    main()
