"""Follow a command through shells, launchers, batch scripts, recipes and manifests to the programs that it starts."""

import posixpath
import sys
from collections.abc import Callable

import re2

from schedmate.knowledge.libraries import KNOWN_LIBRARIES, WITHOUT_TRAINING
from schedmate.knowledge.programs import programs
from schedmate.readers.code.launchers.batch_requests import slurm_variables
from schedmate.readers.code.launchers.batch_scripts import script_text, shell_text, submitted_words, wrapped_text
from schedmate.readers.code.launchers.cloud_shells import cloud_shell
from schedmate.readers.code.launchers.condor import described_job
from schedmate.readers.code.launchers.containers import composed, image_started
from schedmate.readers.code.launchers.gcloud import cloud_training
from schedmate.readers.code.launchers.handed_commands import handed_command
from schedmate.readers.code.launchers.justfile import just_recipe
from schedmate.readers.code.launchers.kubernetes import pod_command
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.launchers.likely_folders import climbed_to, likely_folder
from schedmate.readers.code.launchers.loop_ranks import settle_ranks
from schedmate.readers.code.launchers.makefile import make_target
from schedmate.readers.code.launchers.pipelines import pipeline
from schedmate.readers.code.launchers.prefixes import settle_python, take_off, take_wrapper
from schedmate.readers.code.launchers.script_lookup import find_main, find_script, locate
from schedmate.readers.code.launchers.task_files import task_file, task_of_table
from schedmate.readers.code.launchers.trackers import tracked_command
from schedmate.readers.code.libraries.argument_words import told_words, word_text
from schedmate.readers.code.shell.bash import Bash
from schedmate.readers.code.shell.builtins import START_NOTHING
from schedmate.readers.code.shell.placeholders import with_open_words
from schedmate.readers.code.shell.session import ShellSession, ShellVariables, StartedProgram
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values.value import COMMAND
from schedmate.tools.repository import Repository

MOST_PROGRAMS = 40

MAGIC = re2.compile(r"^\s*!")
"""What a notebook has before a command for the shell."""
DEEPEST = 8

BEHIND: tuple[Callable[[Repository, Launch], list[InnerCommand]], ...] = (
    composed,
    image_started,
    described_job,
    wrapped_text,
    shell_text,
    script_text,
    submitted_words,
    cloud_training,
    cloud_shell,
    tracked_command,
    handed_command,
    make_target,
    just_recipe,
    task_of_table,
    task_file,
    pipeline,
    pod_command,
)
"""Where the text or words may stand that a command starts in turn; the first that knows the command says."""


def programs_of(repository: Repository, command: str, workdir: str) -> tuple[list[Launch], list[str]]:
    """Follow the command through shells and launchers to the programs that it starts, the likeliest job first."""
    shell = ShellSession(repository, workdir)
    Bash(shell, ShellVariables(), COMMAND).run_to_end(tokenize(with_open_words(MAGIC.sub("", command))))
    launches: list[Launch] = []
    for started in shell.started[:MOST_PROGRAMS]:
        launches += opened(repository, started, shell, Launch(), 0)
    launches = launches[:MOST_PROGRAMS]
    if any(is_out_of_sight(repository, one) for one in launches):
        for one in launches:
            one.beside_unseen = True
    order = sorted(range(len(launches)), key=lambda place: (-likelihood(repository, launches[place]), place))
    return [launches[place] for place in order], shell.notes


def is_out_of_sight(repository: Repository, launch: Launch) -> bool:
    """Tell a program that only the run names, or a script of Python that is not here."""
    if launch.kind == "tool":
        return launch.name.startswith(("$", "`"))
    return launch.kind == "script" and launch.name.endswith(".py") and locate(repository, launch) is None


def opened(
    repository: Repository, started: StartedProgram, shell: ShellSession, outer: Launch, depth: int
) -> list[Launch]:
    """Take a started program's launchers off, and follow what stands behind it."""
    launch = outer.handed_down()
    launch.environment |= started.environment
    launch.workdir, launch.sure, launch.scripts = started.workdir, started.sure, started.scripts
    launch.stdin, launch.written, launch.copied = started.stdin, started.written, started.copied
    counts = launch.per_node, launch.total
    take_off(started.words, launch)
    if launch.kind == "tool" and launch.name in START_NOTHING and launch.launchers:
        return []  # `sudo mkdir`, as nothing is started by `mkdir`
    starts_several = launch.per_node is not counts[0] or launch.total is not counts[1]
    settle_workdir(repository, launch, shell)
    for look in BEHIND if depth < DEEPEST else ():
        inners = look(repository, launch)
        if inners:
            found = [one for inner in inners for one in inner_programs(repository, launch, inner, shell, depth)]
            return found[:MOST_PROGRAMS] or [launch]
    if not starts_several:
        settle_ranks(launch, started)
    if launch.kind == "tool":
        take_wrapper(launch)
        take_module(repository, launch)
        settle_workdir(repository, launch, shell)
    return [launch]


def take_module(repository: Repository, launch: Launch) -> None:
    """Take a script that is not here and is told `-m` and a module of the repository for one that starts Python."""
    told = [word_text(word) for word in launch.words[:3]]
    if launch.kind != "tool" or len(told) < 3 or told[1] != "-m" or "/" not in told[0]:
        return
    if find_main(repository, told[2].replace(".", "/"), launch.workdir) is not None:
        launch.launchers.append((launch.name, launch.spot))
        settle_python(launch.words[1:], launch, launch.spot)


def settle_workdir(repository: Repository, launch: Launch, shell: ShellSession) -> None:
    """Stand in the folder from which a program is found: its script's, or that of the only file of its name."""
    if launch.kind not in ("script", "module") or locate(repository, launch) is not None:
        return
    given = launch.workdir
    for script in reversed(launch.scripts):
        folder = posixpath.dirname(script)
        for base in (folder, posixpath.dirname(folder)) if folder and repository.is_file(script) else ():
            launch.workdir = base or "."
            if locate(repository, launch) is not None:
                return
    launch.workdir = given
    if launch.kind == "module" and is_installed(launch.name):
        return
    name = launch.name if launch.kind == "script" else f"{launch.name.replace('.', '/')}.py"
    only = repository.find_only(name)
    if only is not None:
        launch.workdir = only
        shell.notes.append(f"{name} is only in {only}: read as if it were started there")
        return
    likely = likely_folder(repository, name, launch.words)
    if likely is not None:
        launch.workdir = likely
        shell.notes.append(f"{name} with all that is named beside it is found from {likely}: read as if started there")
        return
    moved = (repository.find_namesake(name) or climbed_to(repository, name)) if launch.kind == "script" else None
    if moved is not None:
        launch.name = moved
        shell.notes.append(f"{name} is not here: {moved}, the only file of that name, is read in its place")


def is_installed(module: str) -> bool:
    """Tell a module of a library or tool that is known: a file of that name somewhere is not what `-m` starts."""
    top = module.partition(".")[0]
    return top in KNOWN_LIBRARIES | WITHOUT_TRAINING | sys.stdlib_module_names or module in programs()


def inner_programs(
    repository: Repository, outer: Launch, inner: InnerCommand, shell: ShellSession, depth: int
) -> list[Launch]:
    """Follow the text or words that stand behind a launch, with what is asked for them in force."""
    launch = outer.handed_down()
    launch.workdir = inner.workdir or outer.workdir
    launch.environment |= inner.environment
    launch.asked = {**inner.asked, **launch.asked}
    if inner.operator is not None:
        launch.launchers.append(inner.operator)
    below = ShellSession(repository, launch.workdir, scripts=(*outer.scripts, inner.path), written=outer.written)
    below.copied = dict(outer.copied)
    if inner.words:
        one = StartedProgram(inner.words, {}, launch.workdir, outer.sure and inner.sure, below.scripts)
        one.written, one.copied = below.written, below.copied
        below.started.append(one)
    else:
        names = ShellVariables({**launch.environment, **slurm_variables(launch)}, inner.arguments, inner.path)
        interpreter = Bash(below, names, inner.path)
        interpreter.exported = dict(launch.environment)
        interpreter.run_to_end(tokenize(inner.text, inner.line))
    shell.notes += below.notes
    found: list[Launch] = []
    for started in below.started[:MOST_PROGRAMS]:
        found += opened(repository, started, below, launch, depth + 1)
    return found


TRAINS = re2.compile(
    r"(?i)(^|[/_\-.])(pre-?train\w*|train\w*|finetun\w*|fine_tun\w*|sft|dpo|ppo|grpo|rlhf|main|run\w*|launch\w*|learn)"
)

SERVES = re2.compile(r"(?i)(?:^|[/_\-.])server(?:$|[/_\-.])")
"""How a program is named that waits for those that learn."""
ASIDE = re2.compile(
    r"(?i)(preprocess|prepare|download|convert|tokeniz|eval|test|infer|generat|predict|export|setup|build|merge|score|plot|binarize|make_|create_|summar|results|aggregate|analy[sz]e)"
)


def likelihood(repository: Repository, launch: Launch) -> int:
    """Weigh how likely a started program is the job itself."""
    name = launch.name if launch.kind != "code" else ""
    arguments = " ".join(word_text(word) for word in launch.words[1:8])
    from_here = launch.kind == "tool" and locate(repository, launch) is not None  # a notebook that a tool executes
    from_input = launch.name == "-"
    score = 4 if (launch.kind in ("script", "module") and not from_input) or from_here else 0
    score += 3 * bool(launch.ranks) + 2 * bool(TRAINS.search(name)) + bool(TRAINS.search(arguments))
    score += 2 * bool(launch.kind == "script" and find_script(repository, launch))
    score -= serves_parameters(launch) or bool(SERVES.search(name))
    return score - 3 * bool(ASIDE.search(posixpath.basename(name))) - (not launch.sure)


ROLES = ("job_name", "job_type", "task_type", "role")


def serves_parameters(launch: Launch) -> bool:
    """Tell a parameter server, which only keeps what the workers beside it learn: `--job_name=ps`."""
    told = told_words(launch.words[1:])
    return any(name in told and told[name].data == "ps" for name in ROLES)
