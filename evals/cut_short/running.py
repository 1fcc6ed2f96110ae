"""Run programs to their ends, note when each piece of a log came, and read what a cut leaves of it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import schedmate
from evals.cut_short.programs import LIBRARY, Program
from schedmate.schemas import Metrics

CUTS = (0.3, 0.5, 0.7, 0.85)
"""Shares of the time between a program's first words and its end."""
RUN_S = 60


@dataclass
class Written:
    """What a program wrote, and when; its last words are its end."""

    program: Program
    folder: Path
    pieces: list[tuple[float, bytes]]

    @property
    def end_s(self) -> float:
        """Give the moment of the last words."""
        return self.pieces[-1][0]

    def until(self, moment_s: float) -> bytes:
        """Give what was written by then."""
        return b"".join(data for at_s, data in self.pieces if at_s <= moment_s)


@dataclass
class Cut:
    """One log that was cut, what was left in truth, and what was told: by the log alone, the command, the code."""

    program: Program
    left_s: float
    told: tuple[Metrics, Metrics, Metrics]


def write(program: Program, folder: Path, seed: int) -> Path:
    """Write a program's files, and what stands for the library outside its repository."""
    repo, library = folder / "repo", folder / "library" / "torch"
    repo.mkdir(parents=True)
    library.mkdir(parents=True)
    for name, text in program.files.items():
        (repo / name).write_text(text, "utf-8")
    (library / "__init__.py").write_text(f"SEED, STEP_S = {seed}, {program.step_s:.6f}\n{LIBRARY}", "utf-8")
    return repo


def play(program: Program, folder: Path, seed: int) -> Written:
    """Run a program to its end; its own clock says when each piece of its log came."""
    repo, moments = write(program, folder, seed), folder / "moments"
    words = [sys.executable, *program.command.split()[1:]]
    environment = {**os.environ, "PYTHONPATH": str(folder / "library"), "MOMENTS": str(moments), "TZ": "UTC"}
    done = subprocess.run(words, cwd=repo, env=environment, capture_output=True, check=False, timeout=RUN_S)
    if done.returncode:
        raise RuntimeError(f"{program.name}: {done.stderr.decode(errors='replace')}")
    pieces, at = [], 0
    for line in moments.read_text("ascii").splitlines():
        moment_s, _, size = line.partition(" ")
        pieces.append((float(moment_s), done.stdout[at : at + int(size)]))
        at += int(size)
    return Written(program, repo, pieces)


def cut(written: Written) -> Iterator[Cut]:
    """Cut a log at several places, and read each piece in three ways."""
    first_s = written.pieces[0][0]
    for share in CUTS:
        moment_s = first_s + share * (written.end_s - first_s)
        log = written.folder.parent / f"cut-{share}.log"
        log.write_bytes(written.until(moment_s))
        command = written.program.command
        alone = schedmate.track(log, engine="built-in")
        given = schedmate.track(log, command=command, engine="built-in")
        read = schedmate.track(log, command=command, repo=written.folder, engine="built-in")
        yield Cut(written.program, written.end_s - moment_s, (alone, given, read))
