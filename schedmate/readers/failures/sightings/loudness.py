"""How loud a line speaks: as a fact, a warning, one try of several, or not about a failure at all."""

from functools import lru_cache

import re2

from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.failures.lines.run_boundaries import LONG_AGO
from schedmate.readers.failures.sightings.doing_without import does_without
from schedmate.readers.failures.sightings.quoted_samples import (
    is_counted_as_none,
    is_set_only,
    is_shown_only,
    is_written_only,
)
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

LOUD, SOFT, HANDLED, SILENT = 1.0, 0.35, 0.08, 0.0
"""A statement; a warning; what was tried again, skipped or done without; words that only name something."""
HARDWARE_WEIGHT = 0.85

WARNS = re2.compile(r"\bWARN(?:ING)?\b[^A-Za-z]|\b\w*[Ww]arning: |^\[W\b|^W\d{3,8} |^[WI] \S{1,200}:\d+\]")
"""What calls itself a warning, in any spelling; NCCL writes WARN for what kills, so its word is not soft."""
SPELLED_OUT = late_re2(r"\bWARN(?:ING)?\b|\b\w*[Ww]arning: ")
"""The word itself: by a mere letter native libraries mark what they return as an error, too."""
GRAVE_IDS = ("script.nan_guard", "storage.")
"""Entries of what programs die of, however they log it."""
STOPS = late_re2(
    r"(?i)\b(?:stop(?:s|ped|ping)?|abort(?:s|ed|ing)?|exit(?:s|ed|ing)?|leav(?:es|ing)|quit(?:s|ting)?|end(?:s|ing)"
    r"|terminat(?:es|ed|ing)|g(?:iv(?:es|ing)|ave) up|nothing left)\b"
)
"""How a program says that it ends: at whatever level it logs its last words."""
INFORMS = late_re2(r"^[\[(]?(?:INFO|DEBUG)\b")
"""How a logger begins what is no trouble to it."""
QUIET = frozenset({"INFO", "DEBUG"})

GRAVE = late_re2(
    r"(?i)error|exception|fail|fatal|kill|abort|stop|exit|quit|terminat|panic|cannot|unable|could not|out of memory"
    r"|\bnan\b|\binf\b|\bg(?:ave|iving) up\b"
)
"""What also stands in lines that a wrapper hands on at its own level, and in the last words of a guard."""
NCCL = late_re2(r"NCCL WARN\b|\.(?:h|cc|cu):\d+ WARN ")
TRIES_ON = re2.compile(
    r"\b[Rr]etry(?:ing)?\b|\bre-?tried\b|\b(?:attempt|try) #?\d+ ?(?:of|/) ?\d+|\bwill (?:be )?(?:re-?)?tr(?:y|ied)\b"
    r"|\b(?:\d{1,3}|one|two|three|four) of \d{1,3} (?:tries|attempts|retries) (?:is |are |was |were )?(?:used|spent"
    r"|left|gone)\b"
    r"|\bonly needed (?:to|for|if|by)\b|\b[Oo]ptional (?:and|dependency|feature)\b"
    r"|\b[Tt]rying again\b|\b[Ss]till trying\b|\bagain (?:in|after) \d|\breconnect(?:ed|ing)\b"
    r"|\b(?:fetch|load|download|read|connect|request|open)(?:ed|ing)? (?:it )?(?:again|anew)\b"
    r"|\b[Ff]all(?:s|ing|en)? back\b|\bfell back\b|thrown while requesting"
    r"|\b[Ss]kip(?:s|ped|ping)\b"
    r"|(?:^|:)Error while downloading from http"
    r"|\b(?:go(?:es|ing)?|went|carry(?:ing)?|carries|kept|keeps?|keeping) on"
    r"(?:$|[^\w ]| (?:[^\w]|with|as|in\b|from|at\b|after|until|any|regardless|alone|all the|train|run|now))"
    r"|\b[Cc]ontinu(?:es|ed|ing)\b"
    r"|\bback(?:s|ed|ing) off\b|\b\d+ fits failed (?:out of|with)\b"
    r"|\btaking the next\b|\b(?:next|other|another|old|previous) (?:\w+ )?(?:is|was|will be) (?:taken|used|tried)\b"
    r"|\bmov(?:ed|ing) on\b|\bleav(?:e|es|ing) (?:it|that) out\b"
    r"|\b[Ii]gnor(?:ed|ing)\b|\b[Rr]ecovered\b|\bwithout it\b"
    r"|\b[Ss]etting (?:the )?defaults?\b|\b[Uu]sing (?:the |a )?(?:cached|cache|default|fallback|previous|local)\b"
    r"|\b(?:has|have|had) taken over\b|\btook over\b"
    r"|\b(?:made|built|computed|created|drawn|taken) (?:anew|afresh|once more)\b|\bthrown away and\b"
    r"|\bnothing (?:was |is |got )?lost\b|\b(?:another|the next) one (?:is|was) (?:taken|used|tried|drawn)\b"
    r"|\bwill be (?:built again|rebuilt|reused)\b|\bdropp(?:ed|ing) (?:it|the (?:sample|batch|record|message))\b"
    r"|\b(?:sample|batch|record|message|upload|item|example|file|document|row|line|shard|image|clip|page|frame)s?"
    r" (?:was |were )?dropped\b|, dropped\b"
    r"|\b(?:training|the (?:job|run)|it) is not affected\b|\b(?:training|job|run)? ?not affected\b"
    r"|\b(?:second|third|next|another) (?:try|attempt) (?:was |is )?(?:ok|fine|succeeded|worked)\b"
    r"|[,;:] (?:\w+ )?(?:using (?:only )?\d|(?:off-?load|spill|swapp|lower|reduc|shrink|capp|clamp|limit|truncat"
    r"|switch)ing (?:\w+ ){0,4}to\b)"
    r"|[-,;:] using (?:the )?(?:python|slow|native|reference|pure|eager|plain|nv_peermem|sockets?|host memory)\b"
    r"|\b(?:profil(?:er|ing)|track(?:er|ing)|telemetry|metrics|plots?|plotting|cach(?:e|ing)|uploads?|exporter|tracing"
    r"|previews?) (?:is|are|stays?|was|were|will be|turned|switched) (?:turned |switched )?(?:off|disabled|left out)\b"
)

ADVICE = re2.compile(
    r"\b[Yy]ou (?:can|could|may|might) (?:\w+ ){0,8}(?:fall back|skip|retry|try again|continue)\b"
    r"|\b[Pp]lease (?:\w+ ){0,2}(?:re-?)?try\b|[.!] (?:Retry|Try again)\b|\bfork: retry:|\bSkipping pod sync"
    r"|\bwill try to (?:checkpoint|save|stop|exit|shut|terminate|end)\b"
)
"""What a message asks its reader to do, and nobody has done yet; what a shell or a kubelet in want
says, or who ends."""
TALLY = late_re2(r"\b\d+ (?:skipped|ignored|retried|recovered|dropped)\b|\b(?:skipped|ignored|dropped)\s?[:=]\s?\d+")
"""A count of what was left out so far: it stands on each line of a report, whatever happened."""
GAVE_UP = re2.compile(
    r"(?i)(?:retry|retries|attempts).{0,40}(?:exceeded|exhausted|failed)|exceed\w* (?:\w+ ){0,3}retr|\bg(?:ave"
    r"|iving) up\b"
    r"|\b(?:not|never|won't) (?:be )?retr(?:y|ied|ying)\b|failed after \d+|no (?:more )?(?:retries|attempts)"
    r"|\bnot (?:re)?continu|\bunrecover|\b(?:run|job|training) (?:stops|ends) here\b"
    r"|retries left: 0|(?:attempt|try) #?(?P<n>10|[1-9]) ?(?:of|/) ?(?:10|[1-9]).{0,40}(?:last|final|abort)"
)
"""What speaks of tries because they are over."""
OBJECTED = re2.compile(
    r"(?i)\b(?:cannot|can not|unable to|not safe to|will not) (?:continue|go on|proceed)\b|\brefus(?:es|ing|ed) to\b"
)
"""What speaks of an end, too, unless the same line then says what is done instead."""
LAST_TRY = late_re2(r"(?i)\bretry(?:ing)?\b.{0,12}?\b(?P<n>\d{1,4}) ?(?:/|of) ?(?P<most>\d{1,4})\b")
"""Which try of how many it will be: behind the failure of the last but one nothing is left."""
OF_CONTENT = (
    "(?:test )?(?:cases|clips|documents|downloads|examples|files|images|items|molecules|pages|prompts|questions"
    "|queries|records|rows|samples|sentences|sequences|structures|tests|videos)"
)
"""What a program works on: that some of it failed is a result; parts, ranks, nodes and codes are no such things."""
NAMES_ONLY = re2.compile(
    r"^(?:--)?[\w./-]*(?:error|fail|fatal|abort|kill|exception|panic)[\w./-]*\s?[:=]\s?"
    r"(?:[-+]?[\d.]+(?:e[-+]?\d+)?%?|[Tt]rue|[Ff]alse|[Nn]one|null|on|off|'[^']*'|\"[^\"]*\"|/\S*)\s*,?$"
    rf"|^(?:(?:[Tt]otal|[Nn]umber of|#) )?(?:[Ff]ailed|[Ff]ailures|[Ee]rrors)(?: (?:in )?{OF_CONTENT})?: +\d{{1,12}}"
    r"(?: ?(?:of|/|out of) ?\d{1,12})?(?: \(\d[\d.]{0,8} ?%\))?$"
    r"|^[\w ()/%-]{1,60}\berror\b[\w ()/%-]{0,30}[:=]\s*[-+]?\d{1,12}\.\d+(?:e[-+]?\d+)?%?$"
    r"|^\w{1,100}\{[^}]{0,300}\} 0(?:\.0+)?$"
)
"""An argument, a metric, a file or a count that bears a fatal word in its name."""
QUOTES = re2.compile(
    r"^Q: |^raise [\w.]{1,80}\(|^(?:warnings\.)?warn\(|^(?:log|logger|logging)\.[a-z]{1,20}\(|^[0-9a-f]{7,40} \(HEAD"
    r"|^[0-9a-f]{7,40} (?:build|chore|ci|configs?|docs?|feat|fix|infra|launch|ops|perf|refactor|revert|scripts?|style"
    r"|tests?|tools?)(?:\([^)]{1,40}\))?!?: "
)
"""How a question, a line of source or a list of commits is quoted."""
TRACKER = re2.compile(
    r"^(?:wandb|filebeat|metricbeat|promtail|fluent-?bit|fluentd|telegraf|logstash|(?:log|metrics?)-shipper|vector"
    r"|node[-_]exporter|otel\S{0,20}|opentelemetry\S{0,20}|loki|tensorboard|swanlab)(?:\[\d{1,9}\])?: "
    r"|^COMET (?:ERROR|WARNING|INFO): |^\[neptune\] \[(?:debug|info|warning|error) {0,3}\] "
    r"|^.{0,40}\b(?:clearml|mlflow)\.[\w.]{1,60} - [A-Z]{4,8} - "
    r"|^.{0,40}\b[A-Z]{4,8} (?:clearml|mlflow\.(?:tracking|store|utils|artifacts|system_metrics))\.[a-z_.]{1,60}: "
)
"""How a tracker, or what ships logs and measures, speaks of itself and its server: where that ends the program, an
exception says so."""
STOPPED_BY_TRACKER = late_re2(r"\bTASK STOPPED\b|\b[Uu]ser aborted: stopping\b")
"""How a tracker that also runs the task says that it was told to end it."""
SERVED = re2.compile(
    r"^(?:INFO: +)?\[?[0-9a-f.:]{7,45}\]?(?::\d{1,5})? - (?:\S+ \[[^\]]{1,40}\] )?\"[A-Z]{3,7} /\S* HTTP/\d"
    r"|\b(?:Readiness|Startup) probe failed\b|\breturning HTTP [45]\d\d\b"
)
"""How a server notes what it answered its own clients, and its keeper that it is not ready yet."""
DAYS = "week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday"

IS_NEWS = re2.compile(
    rf"(?i)\b(?:tomorrow|next (?:{DAYS})|planned for|upcoming|scheduled for|reminder|dry[- ]run|drill|restored|resolved"
    r"|back (?:online|up|to normal|in service)|recovered|cleared|completed|finished|is (?:over|complete)|healthy again"
    r"|re-?enabled|no (?:action|impact|jobs? affected)|all (?:ok|good|clear))\b"
)
"""What is announced for another day, or is over."""
STANDS = re2.compile(
    r"(?i)\b(?:not|cannot|n't|never|no longer) (?:yet )?(?:be(?:en)? )?"
    r"(?:resolved|restored|recovered|cleared|completed|finished)\b"
    r"|\b(?:preempt|terminate|reboot)\w* scheduled for (?:this|now)\b|\b(?:not?|never) (?:an? )?(?:drill|dry[- ]run)\b"
    r"|(?:->|=>|\bto) \(?(?:failed|down|error|unknown|lost)\b"
)
"""What is not over, though it bears such a word."""
ORDERS = late_re2(
    r"(?i)\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:the |your )?"
    r"(?:other|previous|prior|preceding|earlier|above) (?:lines?|instructions?|rules?|text|messages?|logs?|output)\b"
    r"|\berror_type (?:is|=|:) ?infrastructure/"
)
"""What is said to whoever judges the log: no program that fails says it."""
CONDITIONAL = re2.compile(
    r"(?i)\b(?:if|in case|whenever|should) (?:(?:the|your|this|a|any|it|its) )?(?:(?:job|run|training|task|program"
    r"|step)s? )?"
    r"(?:has |have |had |did |does |was |is |were |ever )?(?:fail|die|crash|abort|stop|end|hang|kill|cancel|interrupt)"
    r"(?:s|d|ed|led|ped)?\b"
    r"|^\W{0,4}(?:nodes|jobs|hosts|machines|gpus|cards|runs) (?:with|that|which|on which) [^:]{2,80}"
    r" (?:is|are|gets?|will|must|should|have to)\b"
)
"""How one says what is to be done if a job fails, and what is done with all of a kind."""
TROUBLE = late_re2(
    r"(?i)error|fail|fatal|kill|abort|cancel|exceed|crash|died|dead|lost|gone|down|full|denied|fallen|terminat|preempt"
    r"|evict|reclaim|unresponsive|not respond|unreachable"
)

FILE_ERROR = re2.compile(r"\[Errno \d|\b(?:OS|IO|Connection\w*|Timeout)Error\b")
"""How programs name what a file or a peer answered them: they meet that all the time, and go on."""


OF_NONE = (is_shown_only, is_counted_as_none, is_written_only, is_set_only)
"""Ways to tell words of trouble that happened to nobody."""


def tone_of(item: Sighting) -> float:
    """Weigh how a line speaks.

    A fact about the machine is one whatever the level it is logged at: Ray warns of dead nodes, kernels of dead GPUs.
    """
    text = item.line.text
    if NAMES_ONLY.search(text) or SERVED.search(text) or (item.raised is None and QUOTES.search(text)):
        return SILENT
    if speaks_in_words(item) and ORDERS.search(text):
        return SILENT
    if item.raised is None and (LONG_AGO.search(text) or is_conditional(item)):
        return SILENT
    if item.raised is None and any(tells_of_none(item) for tells_of_none in OF_NONE):
        return SILENT
    if is_handled(text, thrown=item.raised is not None and bool(item.raised.frames)):
        return HANDLED
    if item.failure and item.failure.general and item.failure.outside and is_news(text):
        return SILENT
    if (is_trackers(text) and not item.raised) or only_informs(item):
        return SOFT
    if speaks_in_words(item) and INFORMS.search(text):
        return SOFT
    return SOFT if warns(item) and not is_hardware(item) and not tells_of_stop(item) else LOUD


def only_informs(item: Sighting) -> bool:
    """Tell what a program says of itself at a level at which it tells of no end, and in no word of one."""
    failure, text = item.failure, item.line.text
    if item.raised or failure is None or failure.role != "root" or failure.category not in {"framework", "script"}:
        return False
    return (item.line.level in QUIET or bool(INFORMS.search(text))) and not GRAVE.search(text)


def is_conditional(item: Sighting) -> bool:
    """Tell what is to be done if the job fails, from what happened to it and is told before the condition."""
    told = CONDITIONAL.search(item.line.text)
    before = item.line.text[: told.start()] if told is not None else ""
    pattern = item.failure.pattern if item.failure is not None else ""
    return told is not None and not (TROUBLE.search(before) or (pattern and compiled(pattern).search(before)))


@lru_cache(maxsize=64)
def compiled(pattern: str) -> "re2._Regexp":
    """Compile an entry's pattern once more, for parts of lines."""
    return re2.compile(pattern)


def tells_of_stop(item: Sighting) -> bool:
    """Tell a launcher's word that it was asked from outside to end, and that a machine is being taken away: facts,
    though they are logged as warnings.
    """
    failure = item.failure
    if failure is None:
        return False
    asked = failure.category == "other" and (failure.role == "cascade" or failure.outside) and not failure.general
    return asked or (failure.outside and not failure.general and failure.category == "infrastructure")


def is_trackers(text: str) -> bool:
    """Tell what a tracker says of itself and its server, not that the run was stopped by it."""
    return TRACKER.search(text) is not None and not STOPPED_BY_TRACKER.search(text)


def speaks_in_words(item: Sighting) -> bool:
    """Tell a line that counts for its words alone: no entry knows it by what a program is known to print."""
    failure = item.failure
    return item.raised is None and (failure is None or not failure.pattern or failure.wording or failure.general)


def is_news(text: str) -> bool:
    """Tell what is announced for another day, or is over."""
    over = STANDS.search(text) or GAVE_UP.search(text) or OBJECTED.search(text)
    return bool(IS_NEWS.search(text)) and not over


def is_handled(text: str, thrown: bool = False) -> bool:
    """Tell what its own words say was got over; the message of an exception, below a stack, only advises."""
    text = ADVICE.sub("", text)
    does = not thrown and does_without(text)
    if not (does or TRIES_ON.search(text)) or GAVE_UP.search(text) or is_last_try(text):
        return False
    if does and not OBJECTED.search(text):
        return True
    if (objected := OBJECTED.search(text)) and not TRIES_ON.search(text[objected.end() :]):
        return False
    return not TALLY.search(text) or bool(TRIES_ON.search(TALLY.sub("", text)))


def is_last_try(text: str) -> bool:
    """Tell what will be tried once more, and for the last time."""
    told = LAST_TRY.search(text)
    return told is not None and told["n"] == told["most"]


def warns(item: Sighting) -> bool:
    """Tell a warning from a statement."""
    if item.line.level in {"W", "I"}:
        return True
    return bool(WARNS.search(item.line.text)) and not NCCL.search(item.line.text)


def is_programs_warning(item: Sighting) -> bool:
    """Tell what a program calls a warning; facts about a machine, and last words, are none."""
    text = item.line.text
    failure = item.failure
    if item.raised or failure is None or failure.outside or is_of_machine(item) or failure.id.startswith(GRAVE_IDS):
        return False
    return bool(SPELLED_OUT.search(text)) and not STOPS.search(text) and tone_of(item) == SOFT


def is_of_machine(item: Sighting) -> bool:
    """Tell a fact about the machine, as its kernel or driver states it, from an exception that a program may catch."""
    failure = item.failure
    if failure is None or item.raised or FILE_ERROR.search(item.line.text):
        return False
    return blames_machine(failure.category, failure.id) and failure.subcategory != "other"


def is_hardware(item: Sighting) -> bool:
    """Tell a fact about the machine that weighs enough to end a job by itself."""
    return is_of_machine(item) and item.failure is not None and item.failure.weight >= HARDWARE_WEIGHT


def is_root(item: Sighting) -> bool:
    """Tell a line that states a cause."""
    return item.failure is not None and item.failure.role == "root"


def is_end(item: Sighting) -> bool:
    """Tell a line by which somebody outside ended the job: a limit, a person, a preemption."""
    failure = item.failure
    if failure is None or not is_root(item) or "termination" in failure.after:
        return False
    return failure.outside or failure.category == "other"
