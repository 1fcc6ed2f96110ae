"""Know the lines by which launchers, schedulers and shells tell that a run ends, begins again or opens."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from schedmate.readers.lines import NOT_KNOWN, Line, Own, clean
from schedmate.tools.late_patterns import late, late_re2

RULER, ARROW = r"^[=#*-]{3,} ?", r"^(?:[=-]{1,3}>{1,2}|>{2,}) ?"
"""How a script marks off a heading; behind an arrow stands what it does, too."""
DATE = r"\W{0,3}\d{4}-\d\d-\d\d"
RESTART = late_re2(
    r"(?i)will restart worker group|restarting worker group|attempts? left; (?:will )?restart"
    r"|DUE TO (?:JOB REQUEUE|PREEMPTION|(?:TO )?NODE FAIL)"
    rf"|{RULER}(?:attempt|restart|try|run)\b[ #:]{{0,3}}\d+|{ARROW}(?:restart|run)\b[ #:]{{0,3}}\d+"
    rf"|{ARROW}(?:attempt|try)\b[ #:]{{0,3}}\d+(?: ?(?:of|/) ?\d+)?{DATE}"
    r"|\b(?:job|pod|container) (?:was )?(?:requeued|restarted)\b"
    r"|^(?:this is )?restart (?:number|count|attempt)\W{1,3}[1-9]|SLURM_RESTART_COUNT[=:] ?[1-9]"
    r"|\brestarts?=[1-9]\d{0,2}\b"
)

NOT_FOR = (
    r"(?:^|[^\w ] ?|\b(?:on|at|in|of|with|from|is|was|were|hit|met|lost|ended|killed) )(?:(?:an?|the|some|only) )?"
)
"""What stands before others' jobs that are told of, and not before those that this job has to make room for."""
TICKET = "(?:rma|ticket|case|incident|issue|bug|order|request|change|inc|tt)"

LONG_AGO = late_re2(
    r"(?i)\b(?:last (?:week|night|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday"
    r"|(?:days|weeks|months) ago|(?:see|in|cf\.?) (?:ticket|issue|incident)s? |last incidents?\b"
    r"|back in (?:service|production)\b|(?:closed|resolved|fixed|old|known)(?: \w+){0,2} (?:case|incident|ticket)s?\b"
    r"|(?:case|incident|ticket) #?\d{3,}(?:[^\w]{1,3}| is | was )(?:now )?(?:closed|resolved|fixed|done|over)\b"
    r"|(?:on|since) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b"
    r"|(?:no|none|not one) of (?:this|your|our) (?:job|run)'?s? (?:nodes?|hosts?|machines?)\b"
    r"|no (?:node|host|machine|gpu|rank|pod)s? of (?:this|your|our) (?:job|run)\b"
    r"|(?:not|none) (?:in|of|part of|used by|one of) (?:this|your|our) (?:job|run)\b"
    r"|not (?:allocated|assigned|given) to (?:you|us|(?:this|your|our) (?:job|run))\b"
    r"|(?:last|previous|earlier) (?:job|user|tenant)s? (?:on|of|here|had|was|ended|left|died|failed)\b)"
    rf"|\[(?:resolved|fixed|closed)\]|(?:(?:^|[^\w ]) ?|\b{TICKET} )#\d{{2,8}} (?:was )?closed\b"
    rf"|\((?:{TICKET}[ #-]{{1,2}}|(?-i:[A-Z]{{2,8}})-|#)\d{{2,8}} closed\)|(?-i:^\W{{0,6}}DONE: )"
    rf"|{NOT_FOR}other jobs? on\b"
    r"|\((?:resolved|fixed|(?:an)?other (?:user|job|team|tenant|namespace|project|queue))\)"
    r"|^motd\b|\bnothing new since\b|\bbefore (?:this|your|our) (?:job|run)\b"
    rf"|{NOT_FOR}(?:job|run|task|node|pod|host|machine|slice|rack|card|instance)s?(?: \S{{1,40}})? of"
    r" (?:another|an other|other) (?:users?|jobs?|teams?|tenants?)\b"
    rf"|{NOT_FOR}(?:another|other) (?:user|team|tenant)s?'s? (?:job|run|task|node|pod)s?\b"
)
"""What is told of other days, or of machines that this job has not: nothing that this log's runs met."""
STOPPED = late(r"DUE TO (?:JOB REQUEUE|PREEMPTION|(?:TO )?NODE FAIL)")
"""What a scheduler says of a run that it ends: that run may go on speaking for a while."""
AGAIN = r"\b(?:re-?(?:start|launch|submit|queu|spawn|stor|sum)|recover)(?:e?ing|t?ed|ting)\b"
"""What is being done, or was; what somebody is told to do has not been done."""
COUNTED = r"\b(?:try|retry|attempt|restart|recovery|failure)(?: count)?\W{0,3}[1-9]"

RESUMED = late_re2(
    r"(?i)^(?:this is )?restart (?:number|count|attempt)\W{1,3}[1-9]|SLURM_RESTART_COUNT[=:] ?[1-9]"
    rf"|{RULER}(?:attempt|restart|try|run)\b[ #:]{{0,3}}(?:[2-9]|1\d)|{ARROW}(?:restart|run)\b[ #:]{{0,3}}(?:[2-9]|1\d)"
    rf"|{ARROW}(?:attempt|try)\b[ #:]{{0,3}}(?:[2-9]|1\d)(?: ?(?:of|/) ?\d+)?{DATE}"
    rf"|{AGAIN}.{{0,80}}{COUNTED}|{COUNTED}.{{0,60}}{AGAIN}"
    rf"|{AGAIN} (?:(?:the|all|this) )?(?:trial|run|job|training|cluster|hosts|nodes|ranks|workers?)\b"
    r"|\battempt \d+ (?:ended|failed|died|exited|crashed)\b.{0,120}\brestart(?:s|ing)?\b"
    r"|\b(?:exited|died|crashed)\b.{0,60}\brestart(?:ing)? #?\d{1,3} ?(?:of|/) ?\d{1,3}\b"
    r"|\bnext (?:try|attempt|run) (?:in \d|follows|begins|starts|now)"
    r"|^(?:[\w.@:~/-]{1,80}\$|\$) (?:.{0,200}[ /])?(?:torchrun|accelerate launch|deepspeed|mpirun|mpiexec|srun|sbatch"
    r"|nohup|parallel-ssh|pdsh|ray job submit|python3? \S{1,80}\.py|kubectl (?:.{0,80} )?(?:apply|create)\b"
    r"|(?:bash |\./)\S{1,80}\.sh)\b"
    r"|^[=#*-]{2,} ?(?:slurm[ -]?)?job(?: id)?[ #:]{1,3}\d{2,12}\b"
    r"|\bis restarting (?:because|after|due to)\b|\w(?:job|jobset)restarting\b"
    r"|\bjob \S{1,40} (?:(?:was|has been) )?(?:requeued|resubmitted|restarted|relaunched)\b"
)
"""What the starter of the next run says between two of them: that one's steps may go on from anywhere."""
NEXT_TRIAL = late_re2(
    r"^wandb: Agent Starting Run: \S|^(?:\[[\d :,-]{19,26}\])?\[HYDRA\]\s{1,8}#(?:[1-9]|\d\d{1,4}) : \S"
)
"""How who tries settings one after the other says that he begins the next."""
RECREATED = late_re2(r"\b(?:SuccessfulCreate\w*|Created)\b.{0,120}\b[Cc]reated (?:pod|job): \S")
"""What Kubernetes says of each pod that an operator makes, for the first run as for the next."""
SUMMED_UP = late_re2(r"^The output \(if any\) is above this job summary")
"""What a scheduler writes last into the file of a job that is over: LSF's report, to which the next job's is added."""
OPENED = late_re2(
    r"^nohup: ignoring input|^.{0,60}\bJob executing on host: |^(?:INFO: +)?Started server process \[\d+\]"
)
"""What each run puts first into a file that runs are added to, HTCondor's log of a job's events, and a server when it
is up."""
RESTART_WORDS = (
    *("restart", "due to preemption", "due to node fail", "due to job requeue", "attempt", "requeued", "resubmit"),
    *("relaunch", "re-launch", "respawn", "restoring", "resuming", "recovering", "retry ", "next try ", "next run "),
    *("created pod: ", "created job: ", "-- job ", "== job ", "## job ", "** job ", "$ "),
    *("agent starting run: ", "[hydra]"),
)
OPENING_WORDS = ("nohup: ignoring input", "job executing on host", "started server process")
BOUNDARY_WORDS = (*RESTART_WORDS, "above this job summary", *OPENING_WORDS)
RESTART_PARTS = (
    *(b"estart", b"ESTART", b"DUE TO", b"ttempt", b"TTEMPT", b"equeued", b"esubmit", b"elaunch", b"e-launch"),
    *(b"espawn", b"estoring", b"esuming", b"ecovering", b"etry ", b"ext try ", b"ext run "),
    *(b"reated pod: ", b"reated job: ", b"-- job ", b"== job ", b"## job ", b"** job ", b"$ "),
    *(b"gent Starting Run: ", b"[HYDRA]"),
)
SUMMED_UP_PART, SERVED_PART = b"above this job summary", b"Started server process"

OPENED_PARTS = (b"nohup: ignoring input", b"Job executing on host: ", SERVED_PART)
"""What is searched for, and what a line must hold to be tried; case is folded only where it varies."""


MOST_HANDOVERS = 64


@dataclass(slots=True)
class Boundaries:
    """Where a log tells that a run ends or begins: behind its end, before what the next one or its starter says."""

    restarts: list[int] = field(default_factory=list)
    reports: list[int] = field(default_factory=list)
    openings: list[int] = field(default_factory=list)
    stopped: list[int] = field(default_factory=list)
    """those of the restarts that say that a run is ended"""
    resumed: list[int] = field(default_factory=list)
    """before what is said between two runs"""
    trials: list[int] = field(default_factory=list)
    """those of them behind which another setting is tried: the run before is not taken up"""
    taken_up: list[tuple[int, int]] = field(default_factory=list)
    """where a launcher told an end, and where a program says behind it that it goes on from what was saved"""
    served: list[int] = field(default_factory=list)
    """where a server came up"""
    recreated: list[int] = field(default_factory=list)
    """behind what an operator says of a pod that it made: a new run where one had ended, else the first"""
    stacks: list[tuple[int, int]] = field(default_factory=list)
    """where each stack of calls begins, and where its exception stands"""

    def note(self, start: int, raw: bytes, own: Own = NOT_KNOWN) -> None:
        """Take down what a line says of runs."""
        if any(word in raw for word in RESTART_PARTS):
            self.note_restart(start, start + len(raw), clean(raw, own=own))
        elif SUMMED_UP_PART in raw and SUMMED_UP.search(clean(raw, own=own).text):
            self.reports.append(start + len(raw))
        elif any(part in raw for part in OPENED_PARTS) and OPENED.search(clean(raw, own=own).text):
            self.openings.append(start)
            if SERVED_PART in raw:
                self.served.append(start)

    def note_restart(self, start: int, end: int, line: Line) -> None:
        """Take down what is said of a restart; ranks speak of parts of themselves that they restart."""
        if LONG_AGO.search(line.text):
            return
        stopped = STOPPED.search(line.text) is not None
        trial = NEXT_TRIAL.search(line.text) is not None
        resumed = not stopped and line.rank is None and (trial or RESUMED.search(line.text) is not None)
        place = start if resumed else end
        if RESTART.search(line.text):
            self.restarts.append(place)
        if RECREATED.search(line.text):
            self.recreated.append(end)
        if stopped:
            self.stopped.append(place)
        if resumed:
            self.resumed.append(place)
        if trial:
            self.trials.append(place)

    def in_order(self) -> "Boundaries":
        """Give each kind in the order of the log."""
        return Boundaries(
            restarts=sorted(self.restarts),
            reports=sorted(self.reports),
            openings=sorted(self.openings),
            stopped=sorted(self.stopped),
            resumed=sorted(self.resumed),
            trials=sorted(self.trials),
            taken_up=sorted(self.taken_up),
            served=sorted(self.served),
            recreated=sorted(self.recreated),
        )

    def handovers(self) -> Iterator[tuple[list[int], int]]:
        """Give where it was said between two runs that the next begins, and what was said of restarts before that."""
        reached = 0
        for resumed in self.resumed[-MOST_HANDOVERS:]:
            place = bisect_right(self.restarts, resumed)
            yield self.restarts[reached:place], resumed
            reached = place
