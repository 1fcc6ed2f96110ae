"""What somebody is told at the door of a shared loop: all of his own jobs, of others' the queue and progress."""

import json
import os
import stat
from dataclasses import asdict, fields, replace
from typing import Any

from schedmate.clusters.steady_clock import SteadyClock
from schedmate.counts import how_many
from schedmate.errors import InputError, SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow, State, Submission
from schedmate.scheduling.live.messages import Message
from schedmate.scheduling.live.presence import whoever_is_up
from schedmate.scheduling.live.rights import THROUGH, Forbidden, Rights
from schedmate.tools.plain_text import plain

ASKS = frozenset(
    {"cancel", "release", "approve", "reject", "undo", "reset-breaker", "down", "standing", "prune"}
    | {"nodes", "drain", "resume"}
)

MOST_WAITING = 5000
"""Jobs of one account that are not over."""
MOST_WORDS, MOST_LETTERS = 10_000, 1 << 20

SHOWN = ("step", "total_steps", "epoch", "total_epochs", "eta_s", "phase")
"""What others see of a job's progress."""
OF_A_JOB = {field.name: field.type for field in fields(Submission)}
OPEN: tuple[State, ...] = ("pending", "running", "examined", "held")


class Reception:
    """Answers one account, whose name and numbers the kernel has told."""

    def __init__(self, store: LiveStore, rights: Rights, who: str, uid: int, gid: int) -> None:
        self.store = store
        self.rights = rights
        self.who = who if THROUGH not in who else f"account {uid}"  # what such a name says comes from the web alone
        self.uid, self.gid = uid, gid
        self.has_changed = False
        self.asked: set[int] = set()

    def answer(self, asked: Message) -> object:
        """Answer one question."""
        verb = asked.get("verb")
        if verb == "submit":
            return self.submit(asked)
        if verb == "ask":
            return self.ask(str(asked["kind"]), int(asked["target"]), str(asked.get("argument", ""))[:4000])
        if verb == "answer_to":
            answer = self.store.answer_to(int(asked["request"])) if int(asked["request"]) in self.asked else None
            return None if answer is None else asdict(answer)
        if verb == "jobs":
            states = tuple(
                word for word in asked.get("states", ()) if word in (*OPEN, "completed", "failed", "cancelled")
            )
            return [self.shown(row) for row in self.store.jobs(states, int(asked.get("after", 0)), 5000)]
        if verb == "job":
            return self.shown(self.store.job(self.store.number_of(str(asked["job"]))))
        if verb == "actions":
            return self.actions(asked.get("job"))
        if verb == "trail":
            return self.trail(int(asked["action"]))
        if verb == "verify":
            self.rights.require_operator(self.who, "look through the whole trail")
            return self.store.verify()._asdict()
        raise InputError("that is no question")

    def submit(self, asked: Message) -> int:
        """Take a job: it is this account's, whatever it says; an operator may name another that it is for."""
        job = checked(asked["job"])
        if job.user and job.user != self.who:
            self.rights.require_operator(self.who, f"hand in jobs for {job.user}")
        mine = sum(self.rights.owns(self.who, row) for row in self.store.jobs(OPEN))
        if mine >= MOST_WAITING:
            raise Forbidden(f"{self.who} has {how_many(mine, 'unfinished job')}", "wait for some of them")
        session = asked.get("session", {})
        limits = {str(name): [int(soft), int(hard)] for name, (soft, hard) in dict(session.get("limits", {})).items()}
        who = {
            "name": self.who, "uid": self.uid, "gid": self.gid, "umask": int(session.get("umask", 0o077)) & 0o777,
            "limits": limits,
        }  # fmt: skip
        token = f"{self.uid}-{asked['token']}"[:200]
        job = replace(job, user=job.user or self.who, account=self.who, runs_as=json.dumps(who))
        number = self.store.submit(job, token, SteadyClock().now_s())
        self.has_changed = True
        return number

    def ask(self, kind: str, target: int, argument: str) -> int:
        """Hand a request on to the loop, which judges it."""
        if kind not in ASKS:
            raise InputError("that is nothing that could be asked")
        argument = whoever_is_up(self.store.data_dir) if kind == "down" else argument
        request = self.store.ask(kind, target, plain(argument), actor=self.who)
        self.asked.add(request)
        self.has_changed = True
        return request

    def is_open_to(self, row: LiveRow) -> bool:
        """Tell whether all of a job may be shown."""
        return self.rights.owns(self.who, row) or self.rights.is_operator(self.who)

    def shown(self, row: LiveRow) -> Message:
        """Give a job with its runs; of another's, what the queue has to tell. Nobody is sent an environment."""
        mine = self.is_open_to(row)
        told = asdict(replace(row, environment={}, token="", runs_as=""))
        runs = [asdict(run) for run in self.store.runs(row.id)]
        if not mine:
            told |= {"command": (), "workdir": "", "git_branch": "", "reason": "", "checkpoint": "", "workload": ""}
            told |= {"diagnosis": "", "hardware": "", "estimate": "", "metrics": progress_of(row.metrics)}
            runs = [run | {"failure": "", "log": "", "code": None, "reason": ""} for run in runs]
        return {"row": told, "runs": runs}

    def actions(self, job: Any) -> list[Message]:  # Any: a number, if who asks keeps to the form
        """List steps of recovery: an operator sees all, others those about their own jobs."""
        rows = self.store.actions(job=None if job is None else int(job))
        if not self.rights.is_operator(self.who):
            mine = {number: self.is_open_to(self.store.job(number)) for number in {row.job for row in rows}}
            rows = [row for row in rows if mine[row.job]]
        return [asdict(row) for row in rows]

    def trail(self, action: int) -> list[Message]:
        """Give all that happened to a step, to those who may see the step."""
        row = next((row for row in self.store.actions() if row.id == action), None)
        if row is None or not self.is_open_to(self.store.job(row.job)):
            raise InputError(f"there is no action {action}", "schedmate actions lists them")
        return [entry._asdict() for entry in self.store.trail(action)]

    def open_log(self, asked: Message) -> int:
        """Open a log for reading, to its owner and to operators; it lies in a folder that only we write in."""
        row = self.store.job(self.store.number_of(str(asked["job"])))
        self.rights.require_own(self.who, row, "read the log of")
        path = self.store.log_of(row.id, int(asked["run"]))
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise SchedMateError(f"the log of job {row.job_id} is not there: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise SchedMateError(f"the log of job {row.job_id} is no file")
        return handle


def checked(told: Message) -> Submission:
    """Make a submission of what somebody sent: of the right types, of bounded size, with a path that is one."""
    unknown = told.keys() - OF_A_JOB.keys() | told.keys() & {"account", "runs_as"}
    if unknown:
        raise InputError(f"a job has no {', '.join(sorted(map(str, unknown)))[:200]}")
    command = tuple(word for word in told["command"] if isinstance(word, str))
    environment = {str(name): str(value) for name, value in dict(told["environment"]).items()}
    texts = {name: str(told.get(name, "")) for name in ("name", "user", "kind", "git_branch", "workdir")}
    letters = sum(map(len, command)) + sum(len(name) + len(value) for name, value in environment.items())
    whole = (*command, *environment, *environment.values(), *texts.values())
    if not command or len(command) != len(told["command"]) or len(command) > MOST_WORDS or letters > MOST_LETTERS:
        raise InputError(
            "the command or its environment is none, or too long", f"{MOST_LETTERS:,} letters are the limit"
        )
    if any("\0" in word for word in whole) or any("=" in name or not name for name in environment):
        raise InputError("the job holds a null byte, or a variable that is none")
    if not texts["workdir"].startswith("/") or len(texts["workdir"]) > 4096:
        raise InputError("the job's directory is no path from the root")
    slots, share = int(told.get("slots", 1)), float(told.get("share", 1.0))
    memory_gib, cpus, most = (
        float(told.get("memory_gib", 0.0)),
        int(told.get("cpus", 0)),
        int(told.get("most_slots", 0)),
    )
    words = {name: plain(text)[:200] for name, text in texts.items() if name != "workdir"}
    job = Submission(
        command, texts["workdir"], environment, slots, share, alone=bool(told.get("alone")), memory_gib=memory_gib,
        cpus=cpus, most_slots=most, vc="", **words,
    )  # fmt: skip
    if not job.is_possible():
        raise InputError("the job asks for what no machine has")
    return job


def progress_of(metrics: str) -> str:
    """Give how far a job is, and nothing else that its log says."""
    told = json.loads(metrics) if metrics else {}
    return json.dumps({name: told.get(name) for name in SHOWN}) if told else ""
