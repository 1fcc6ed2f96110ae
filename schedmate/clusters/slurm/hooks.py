"""What a site may put into Slurm: SchedMate hears sooner of ends, jobs know their checkpoint; all of it can be missing.

Each hook does one small thing with a file, runs no Slurm command, is limited in time and never fails: with SchedMate
gone, hung or its disk full, jobs are handed in, start and end as if it were not there.
"""

import os
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from schedmate.clusters.slurm.placing import GONE_S
from schedmate.clusters.slurm.spool import ALIVE, CHECKPOINTS, ENDED
from schedmate.errors import InputError

BEGIN, END = "# schedmate begin: made by schedmate slurm install", "# schedmate end"

NOTE_LIMIT_S = 1
MOST_SPOOL_BYTES = 1 << 20

EPILOG = """#!/bin/sh
# Tells SchedMate that a job is over: one line into a file. Made by schedmate slurm install.
[ "$(stat -c %s {ended} 2>/dev/null || echo 0)" -lt {most} ] || exit 0
timeout {limit} sh -c 'echo "$SLURM_JOB_ID" >> "$0"' {ended} 2>/dev/null
exit 0
"""
TASK_PROLOG = """#!/bin/sh
# Tells a job that SchedMate has let go on where its checkpoint lies. Made by schedmate slurm install.
checkpoint={checkpoints}/$SLURM_JOB_ID
[ -r "$checkpoint" ] && timeout {limit} sed -n '1s/^/export SCHEDMATE_CHECKPOINT=/p' "$checkpoint" 2>/dev/null
exit 0
"""
PLUGIN = """\
-- Puts jobs off for SchedMate's policy to place, while SchedMate is there; should it go, Slurm starts them when the
-- time comes. What has a time, a dependency or a hold of its own is Slurm's alone.
-- Made by schedmate slurm install --place.
local alive = {alive}
local late_s = {late}

function is_alive()
  local file = io.open(alive, "r")
  if file == nil then return false end
  local beat = tonumber(file:read("*l") or "")
  file:close()
  return beat ~= nil and os.time() - beat < late_s
end

function slurm_job_submit(job, partitions, uid)
  local fine, there = pcall(is_alive)
  local is_free = job.priority == slurm.NO_VAL and job.admin_comment == nil and job.dependency == nil
  if fine and there and is_free and (job.begin_time == nil or job.begin_time == 0) then
    job.begin_time = os.time() + {gone}
    job.admin_comment = "schedmate: to be placed"
  end
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
  return slurm.SUCCESS
end

return slurm.SUCCESS
"""
UNIT = """[Unit]
Description=SchedMate beside Slurm
After=network-online.target slurmctld.service munge.service

[Service]
User={user}
Environment=SCHEDMATE_DATA_DIR={data}
ExecStart={program} up --cluster slurm --option spool={spool}
Restart=on-failure
RestartSec=10

[Install]
WantedBy=multi-user.target
"""


def lua(text: str) -> str:
    """Write a string as lua does."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Hooks:
    """The files of one installation, and the lines of slurm.conf that name them."""

    def __init__(self, conf: Path, spool: Path, folder: Path, place: bool, values: Mapping[str, str]) -> None:
        self.conf = conf
        self.spool = spool
        quoted = {"ended": shlex.quote(str(spool / ENDED)), "checkpoints": shlex.quote(str(spool / CHECKPOINTS))}
        limits = {"limit": str(NOTE_LIMIT_S), "most": str(MOST_SPOOL_BYTES)}
        self.files = {
            folder / "epilog.sh": EPILOG.format(**quoted, **limits),
            folder / "task_prolog.sh": TASK_PROLOG.format(**quoted, **limits),
            folder / "schedmate.service": UNIT.format(**values, spool=spool),
        }
        self.lines = {
            "EpilogSlurmctld": str(folder / "epilog.sh"),
            "TaskProlog": str(folder / "task_prolog.sh"),
        }
        if place:
            self.files[conf.parent / "job_submit.lua"] = PLUGIN.format(
                alive=lua(str(spool / ALIVE)), late=120, gone=round(GONE_S)
            )
            self.lines["JobSubmitPlugins"] = "lua"

    @property
    def block(self) -> str:
        """Give the lines for slurm.conf."""
        return "\n".join([BEGIN, *(f"{name}={value}" for name, value in self.lines.items()), END]) + "\n"

    def preview(self) -> str:
        """Say what `install` would write, and where."""
        parts = [f"== {path}\n{text}" for path, text in self.files.items()]
        return "\n".join([*parts, f"== {self.conf}, at its end\n{self.block}"])

    def install(self) -> list[str]:
        """Place the files and the lines; refuses where the site has a hook of its own."""
        text = self.conf.read_text()
        kept = without_block(text)
        for name in self.lines:
            if any(line.strip().lower().startswith(f"{name.lower()}=") for line in kept.splitlines()):
                raise InputError(
                    f"{self.conf} has a {name} of its own", f"let it run {self.lines[name]} too; --dry-run shows all"
                )
        for path in self.files:
            if path.exists() and not is_ours(path):
                raise InputError(f"{path} is there already and not ours", "move it, or leave out --place")
        for folder, mode in ((self.spool, 0o755), (self.spool / CHECKPOINTS, 0o755)):
            folder.mkdir(parents=True, exist_ok=True, mode=mode)
        for path, words in self.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, words, 0o755 if path.suffix == ".sh" else 0o644)
        replace(self.conf, f"{kept.rstrip()}\n{self.block}", stat.S_IMODE(self.conf.stat().st_mode))
        return [str(path) for path in (*self.files, self.conf)]

    def uninstall(self) -> list[str]:
        """Take back just these."""
        gone = []
        text = self.conf.read_text()
        if BEGIN in text:
            replace(self.conf, without_block(text), stat.S_IMODE(self.conf.stat().st_mode))
            gone.append(str(self.conf))
        for path in self.files:
            if path.exists() and is_ours(path):
                path.unlink()
                gone.append(str(path))
        return gone + self.empty_spool()

    def empty_spool(self) -> list[str]:
        """Remove the notes that hooks and service left for each other, and their folder where it holds nothing else."""
        notes = [self.spool / name for name in (ENDED, ALIVE)]
        folder = self.spool / CHECKPOINTS
        notes += [path for path in folder.glob("*") if path.name.isdigit()] if not folder.is_symlink() else []
        for path in notes:
            with suppress(OSError):
                path.unlink()
        with suppress(OSError):
            folder.rmdir()
            self.spool.rmdir()
            return [str(self.spool)]
        return []


def without_block(text: str) -> str:
    """Give a configuration without our lines."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return before + after.removeprefix("\n") if begin and end else text


def is_ours(path: Path) -> bool:
    """Tell whether a file was made here."""
    text = path.read_text(errors="replace")
    return "schedmate slurm install" in text or "Description=SchedMate beside Slurm" in text


def replace(path: Path, text: str, mode: int) -> None:
    """Write a file whole, so that nobody ever reads half of it."""
    fresh = path.with_name(f"{path.name}.schedmate")
    fresh.write_text(text)
    fresh.chmod(mode)
    os.replace(fresh, path)
