"""Find what a command starts, follow it, and hand back everything that was seen on the way."""

import contextlib
import posixpath
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field

import re2

from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.commandline.words import word_text
from schedmate.readers.code.configs.loaders import load_config
from schedmate.readers.code.launch import Launch, gpus_of, read_headers, take_off, whole_number
from schedmate.readers.code.python.modules import execute_module, find_module, module_attribute
from schedmate.readers.code.python.run import Exited, Raised, Run, Spent
from schedmate.readers.code.python.scopes import Module, Scope
from schedmate.readers.code.shell.expansion import Names
from schedmate.readers.code.shell.script import Interpreter, Leave, Shell, Started
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values import COMMAND, Spot, Unknown, Val, is_constant, join_spots
from schedmate.tools.repository import NotReadable, Repository, inside

TRAINS = re2.compile(
    r"(?i)(^|[/_\-.])(pre-?train\w*|train\w*|finetun\w*|fine_tun\w*|sft|dpo|ppo|grpo|rlhf|main|run\w*|launch\w*|learn)"
)
ASIDE = re2.compile(
    r"(?i)(preprocess|prepare|download|convert|tokeniz|eval|test|infer|generat|predict|export|setup|build|merge|score|plot|binarize|make_)"
)
SHELL_ENDINGS = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs", ".lsf")
MOST_PROGRAMS = 40


@dataclass
class Program:
    """A program that the command starts, and what following it showed."""

    launch: Launch
    run: Run
    command: str
    found: bool = False
    entry: Spot | None = None
    complete: bool = False
    notes: list[str] = field(default_factory=list)


def interesting_names() -> frozenset[str]:
    """Give every spelling under which an option with a meaning may be read."""
    plain = {name for names in option_names().values() for name in names}
    shapes = {shape(name) for name in plain for shape in (str, str.upper, camel)}
    return frozenset({*plain, *shapes, *(name.replace("_", "-") for name in plain)})


def camel(name: str) -> str:
    """Write `batch_size` as `batchSize`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def programs_of(repository: Repository, command: str, workdir: str) -> tuple[list[Launch], list[str]]:
    """Follow the command through shells and launchers to the programs that it starts, the likeliest job first."""
    shell = Shell(repository, workdir)
    interpreter = Interpreter(shell, Names(), COMMAND)
    with contextlib.suppress(Leave):
        interpreter.run(tokenize(command))
    launches: list[Launch] = []
    for started in shell.started[:MOST_PROGRAMS]:
        launches += opened(repository, started, Launch(), 0)
    launches = launches[:MOST_PROGRAMS]
    order = sorted(range(len(launches)), key=lambda place: (-likelihood(repository, launches[place]), place))
    return [launches[place] for place in order], shell.notes


def opened(repository: Repository, started: Started, outer: Launch, depth: int) -> list[Launch]:
    """Take a started program's launchers off; a batch script behind them is followed with its headers."""
    launch = Launch(
        environment={**outer.environment, **started.environment},
        workdir=started.workdir,
        launchers=list(outer.launchers),
        per_node=outer.per_node,
        nodes=outer.nodes,
        total=outer.total,
        options=dict(outer.options),
        slurm=dict(outer.slurm),
        distributed=outer.distributed,
        sure=started.sure,
        scripts=started.scripts,
    )
    take_off(started.words, launch)
    name = launch.name
    wrapped = launch.options.get("sbatch.wrap")
    if wrapped is not None and not name and depth < 8:
        return inner_programs(repository, launch, str(wrapped.data), depth)
    is_batch = any(kind in ("sbatch", "salloc", "qsub", "bsub") for kind, _ in launch.launchers)
    if (
        depth < 8
        and launch.kind in ("tool", "script")
        and (name.endswith(SHELL_ENDINGS) or (is_batch and launch.kind == "tool"))
    ):
        path = find_script(repository, launch)
        if path is not None:
            return batch_programs(repository, launch, path, depth, is_batch)
    if launch.kind == "tool" and posixpath.basename(name) in ("bash", "sh") and depth < 8:
        rest = [word for word in launch.words[1:] if not word_text(word).startswith("-")]
        text = next((word_text(word) for word in launch.words[1:] if " " in word_text(word)), "")
        if "-c" in [word_text(word) for word in launch.words] and text:
            return inner_programs(repository, launch, text, depth)
        if rest:
            launch.name, launch.words = word_text(rest[0]), rest
            path = find_script(repository, launch)
            if path is not None:
                return batch_programs(repository, launch, path, depth, is_batch)
    if launch.kind == "tool" and posixpath.basename(name) == "make":
        return make_programs(repository, launch, depth)
    return [launch]


def find_script(repository: Repository, launch: Launch) -> str | None:
    """Find a script of the repository."""
    for base in (launch.workdir, "."):
        path = posixpath.normpath(posixpath.join(base, launch.name))
        if repository.is_file(path):
            return path
    return find_moved(repository, launch.name, launch.workdir)


def find_moved(repository: Repository, name: str, workdir: str) -> str | None:
    """Find a file named by a path of another machine: the longest end of the path that exists here."""
    if not name.startswith(("/", "$", "~")):
        return None
    parts = [part for part in name.split("/") if part]
    bases = [workdir]
    while bases[-1] not in (".", ""):
        bases.append(posixpath.dirname(bases[-1]) or ".")
    for cut in range(1, len(parts)):
        for base in bases:
            path = posixpath.normpath(inside(base, "/".join(parts[cut:])))
            if repository.is_file(path):
                return path
    return None


def batch_programs(repository: Repository, launch: Launch, path: str, depth: int, is_batch: bool) -> list[Launch]:
    """Follow a script with its batch headers in force."""
    try:
        text = repository.read_text(path)
    except NotReadable:
        return [launch]
    if is_batch:
        launch.slurm = {**read_headers(text, path), **launch.slurm}
    exported = launch.options.get("sbatch.export")
    for part in str(exported.data).split(",") if exported is not None else []:
        key, equals, value = part.partition("=")
        if equals:
            launch.environment[key] = Val(value, exported.src if exported is not None else ())
    return inner_programs(repository, launch, text, depth, path)


def inner_programs(repository: Repository, launch: Launch, text: str, depth: int, path: str = COMMAND) -> list[Launch]:
    """Follow shell text that a launcher starts."""
    shell = Shell(repository, launch.workdir, scripts=(*launch.scripts, path))
    names = Names({**launch.environment, **slurm_variables(launch)}, launch.words[1:], path)
    interpreter = Interpreter(shell, names, path)
    interpreter.exported = dict(launch.environment)
    with contextlib.suppress(Leave):
        interpreter.run(tokenize(text))
    found: list[Launch] = []
    for started in shell.started[:MOST_PROGRAMS]:
        found += opened(repository, started, launch, depth + 1)
    return found


def slurm_variables(launch: Launch) -> dict[str, Val]:
    """Give the variables that Slurm sets from what was asked for."""
    slurm = launch.slurm
    found: dict[str, Val] = {}
    for name, variables in {
        "nodes": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES"),
        "ntasks": ("SLURM_NTASKS", "SLURM_NPROCS"),
        "ntasks_per_node": ("SLURM_NTASKS_PER_NODE",),
    }.items():
        if name in slurm:
            found.update(dict.fromkeys(variables, slurm[name]))
    if "nodes" in slurm and "ntasks_per_node" in slurm and "ntasks" not in slurm:
        nodes, tasks = str(slurm["nodes"].data), str(slurm["ntasks_per_node"].data)
        if nodes.isdigit() and tasks.isdigit():
            total = Val(str(int(nodes) * int(tasks)), join_spots(slurm["nodes"], slurm["ntasks_per_node"]))
            found.update({"SLURM_NTASKS": total, "SLURM_NPROCS": total})
    gpus = gpus_per_node(launch)
    if gpus is not None:
        found.update(
            {"SLURM_GPUS_ON_NODE": Val(str(gpus.data), gpus.src), "SLURM_GPUS_PER_NODE": Val(str(gpus.data), gpus.src)}
        )
    return found


def gpus_per_node(launch: Launch) -> Val | None:
    """Give the GPUs of each node, where the batch system was asked for a number."""
    for name in ("gpus_per_node", "gres"):
        if name in launch.slurm:
            _, count = gpus_of(str(launch.slurm[name].data))
            if count:
                return Val(count, launch.slurm[name].src)
    visible = launch.environment.get("CUDA_VISIBLE_DEVICES")
    if visible is not None and isinstance(visible.data, str):
        parts = [part for part in visible.data.split(",") if part.strip()]
        if parts and "$" not in visible.data and visible.data.strip() != "-1":
            return Val(len(parts), visible.src)
    return None


def make_programs(repository: Repository, launch: Launch, depth: int) -> list[Launch]:
    """Follow a Makefile's target as the shell lines that it is."""
    path = next(
        (
            found
            for name in ("Makefile", "makefile", "GNUmakefile")
            if repository.is_file(found := posixpath.normpath(inside(launch.workdir, name)))
        ),
        None,
    )
    if path is None:
        return [launch]
    text = repository.read_text(path)
    target = next((word_text(word) for word in launch.words[1:] if not word_text(word).startswith("-")), "")
    lines = text.split("\n")
    kept, inside_target = [], False
    for line in lines:
        if line.startswith("\t"):
            kept.append(
                line[1:].lstrip("@-").replace("$(", "${").replace("$$", "$").replace(")", "}")
                if inside_target and "$(" in line
                else line[1:].lstrip("@-").replace("$$", "$")
                if inside_target
                else ""
            )
            continue
        head, colon, rest = line.partition(":")
        if colon and not rest.startswith("="):
            inside_target = target in head.split()
            kept.append("")
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            kept.append(f"{name.strip(' ?:+')}='{value.strip()}'")
        else:
            kept.append("")
    return inner_programs(repository, launch, "\n".join(kept), depth, path) or [launch]


def likelihood(repository: Repository, launch: Launch) -> int:
    """Weigh how likely a started program is the job itself."""
    name = launch.name if launch.kind != "code" else ""
    arguments = " ".join(word_text(word) for word in launch.words[1:8])
    score = 4 if launch.kind in ("script", "module") else 0
    score += 3 * bool(launch.ranks) + 2 * bool(TRAINS.search(name)) + bool(TRAINS.search(arguments))
    score += 2 * bool(launch.kind == "script" and find_script(repository, launch))
    return score - 3 * bool(ASIDE.search(posixpath.basename(name))) - (not launch.sure)


def prepared(repository: Repository, launch: Launch, command: str) -> Program:
    """Give a program that nothing was followed of yet."""
    run = Run(repository, arguments_of(launch), interesting=interesting_names(), workdir=launch.workdir)
    settle_facts(run, launch)
    return Program(launch, run, command)


def follow(repository: Repository, launch: Launch, command: str) -> Program:
    """Follow a program from its first line."""
    program = prepared(repository, launch, command)
    script = locate(repository, launch)
    if script is None:
        entry = entry_point(repository, launch)
        if entry is None:
            return program
        follow_entry(program, *entry)
        return program
    follow_file(program, script)
    return program


def arguments_of(launch: Launch) -> list[Val]:
    """Give the program's words, its name first."""
    return [Val(launch.name, (launch.spot,)), *launch.words[1:]]


def spawned_by(program: Program) -> Launch | None:
    """Give the program that a wrapper in Python starts in turn; started in a loop it is one of several."""
    for command, spot, in_loop in program.run.flags.get("spawned", []):
        if isinstance(command.data, str):
            words = [Val(word, (spot,)) for word in command.data.split()[:200]]
        elif isinstance(command.data, (list, tuple)):
            words = [
                word if word.src else Val(word.data, (spot,)) for word in command.data if isinstance(word.data, str)
            ]
        else:
            continue
        launch = Launch(
            environment=dict(program.launch.environment),
            workdir=program.launch.workdir,
            slurm=dict(program.launch.slurm),
        )
        take_off(words, launch)
        if locate(program.run.repository, launch) is not None:
            launch.many = spot if in_loop else None
            return launch
    return None


def locate(repository: Repository, launch: Launch) -> str | None:
    """Find the file of a script or module."""
    if launch.kind == "script":
        path = find_script(repository, launch)
        if path is not None and path.endswith((".py", ".ipynb")):
            return path
        return path if path is not None and "." not in posixpath.basename(path) else None
    if launch.kind == "module":
        place = launch.name.replace(".", "/")
        for base in (launch.workdir, ".", "src", inside(launch.workdir, "src")):
            for name in (f"{place}.py", f"{place}/__main__.py"):
                path = posixpath.normpath(posixpath.join(base, name))
                if repository.is_file(path):
                    return path
    if launch.kind == "tool" and "/" in launch.name:
        path = find_script(repository, launch)
        return path if path is not None and path.endswith(".py") else None
    if launch.kind == "tool" and posixpath.basename(launch.name) in ("papermill", "jupyter"):
        for word in launch.words[1:]:
            path = posixpath.normpath(posixpath.join(launch.workdir, word_text(word)))
            if path.endswith(".ipynb") and repository.is_file(path):
                return path
    return None


def roots_of(path: str, workdir: str, environment: dict[str, Val]) -> tuple[str, ...]:
    """Give the folders that imports are looked up in: the script's, then those of the working directory and above."""
    folder = posixpath.dirname(path) or "."
    roots = [folder, workdir]
    given = environment.get("PYTHONPATH")
    for part in str(given.data).split(":") if given is not None else []:
        cleaned = posixpath.normpath(posixpath.join(workdir, part.replace("${PWD}", ".").replace("$(pwd)", ".") or "."))
        roots.append(cleaned)
    above = folder
    while above not in ("", "."):
        above = posixpath.dirname(above) or "."
        roots.append(above)
    roots += [".", "src", inside(workdir, "src")]
    return tuple(dict.fromkeys(posixpath.normpath(root) for root in roots if not root.startswith("..")))


def follow_file(program: Program, path: str) -> None:
    """Follow a file as the main program."""
    run, launch = program.run, program.launch
    run.roots = roots_of(path, launch.workdir, launch.environment)
    if launch.kind == "module":
        run.roots = tuple(dict.fromkeys((launch.workdir, *run.roots)))
    module = Module(posixpath.splitext(path)[0].replace("/", "."), path, posixpath.dirname(path) or ".", is_main=True)
    program.found, program.entry = True, Spot(path, 1)
    if path.endswith(".py") is False and not path.endswith(".ipynb"):
        program.notes.append(f"{path} is taken for Python")
    guarded(program, lambda: execute_module(run, module))
    program.complete = program.complete and run.trees.get(path) is not None


def follow_entry(program: Program, module_name: str, function: str, spot: Spot) -> None:
    """Follow an installed command through its entry point."""
    run = program.run
    run.roots = roots_of(module_name.replace(".", "/"), program.launch.workdir, program.launch.environment)
    module = find_module(run, module_name, run.roots)
    if module is None or not module.path:
        return
    program.found, program.entry = True, spot

    def enter() -> None:
        callee = module_attribute(run, module, function) if function else Val(None)
        if function and not isinstance(callee.data, Unknown):
            run.call(callee, [], {}, spot, Scope(module, module.vars))

    guarded(program, enter)


def guarded(program: Program, work: Callable[[], None]) -> None:
    """Follow until the program ends or the budget does."""
    run = program.run
    program.complete = True
    try:
        work()
    except Exited:
        pass
    except Raised:
        program.complete = False
    except Spent:
        run.note("the program is too long to be followed to its end")
        program.complete = False
    except RecursionError:
        run.note("the program is nested too deeply to be followed to its end")
        program.complete = False


def entry_point(repository: Repository, launch: Launch) -> tuple[str, str, Spot] | None:
    """Find an installed command among the repository's own entry points."""
    if launch.kind == "code":
        return None
    name = posixpath.basename(launch.name)
    for folder in dict.fromkeys((launch.workdir, ".")):
        path = posixpath.normpath(inside(folder, "pyproject.toml"))
        if repository.is_file(path):
            text = repository.read_text(path)
            try:
                data = tomllib.loads(text)
            except (tomllib.TOMLDecodeError, RecursionError):
                data = {}
            scripts = {
                **data.get("project", {}).get("scripts", {}),
                **data.get("tool", {}).get("poetry", {}).get("scripts", {}),
            }
            if isinstance(scripts.get(name), str) and ":" in scripts[name]:
                module, _, function = scripts[name].partition(":")
                line = next(
                    (n for n, text_line in enumerate(text.split("\n"), 1) if name in text_line and ":" in text_line), 1
                )
                return module.strip(), function.strip(), Spot(path, line)
        for setup in ("setup.py", "setup.cfg"):
            path = posixpath.normpath(inside(folder, setup))
            if not repository.is_file(path):
                continue
            for number, text_line in enumerate(repository.read_text(path).split("\n"), 1):
                match = re2.search(rf"""['"]?{re2.escape(name)}\s*=\s*([\w.]+):(\w+)""", text_line)
                if match is not None:
                    return str(match.group(1)), str(match.group(2)), Spot(path, number)
    return None


def settle_facts(run: Run, launch: Launch) -> None:
    """Put what the launchers settled where the followed program looks for it."""
    read_accelerate(run, launch)
    visible = gpus_per_node(launch)
    if visible is not None:
        run.facts["gpus_per_node"] = visible
    nodes = node_count(launch)
    if nodes is not None:
        run.facts["nodes"] = nodes
    size = process_count(launch, nodes)
    if size is not None and isinstance(size.data, int):
        run.facts["world_size"] = size
    run.environ.update({key: value for key, value in launch.environment.items() if is_constant(value)})
    if not started_in_ranks(launch):
        return
    here = (launch.launchers[-1][1],) if launch.launchers else ()
    world = (
        Val(str(size.data), size.src)
        if size is not None and isinstance(size.data, int)
        else Val(Unknown("the number of processes"))
    )
    zero = Val("0", here)
    names = {"RANK": zero, "LOCAL_RANK": zero, "WORLD_SIZE": world, "NODE_RANK": zero, "GROUP_RANK": zero}
    names |= {"MASTER_ADDR": Val("localhost", here), "MASTER_PORT": Val("29500", here)}
    kind = launch.launchers[-1][0] if launch.launchers else ""
    local = launch.per_node if launch.per_node is not None and isinstance(launch.per_node.data, int) else None
    names["LOCAL_WORLD_SIZE"] = Val(str(local.data), local.src) if local is not None else world
    if "torch" in kind or kind == "accelerate":
        names["TORCHELASTIC_RUN_ID"] = Val("none", here)
    if any("mpi" in name for name, _ in launch.launchers):
        names = {
            "OMPI_COMM_WORLD_RANK": zero,
            "OMPI_COMM_WORLD_LOCAL_RANK": zero,
            "OMPI_COMM_WORLD_SIZE": world,
            "PMI_RANK": zero,
            "PMI_SIZE": world,
        }
    if kind == "srun":
        names = {
            "SLURM_PROCID": zero,
            "SLURM_LOCALID": zero,
            "SLURM_NODEID": zero,
            "SLURM_NTASKS": world,
            "SLURM_NPROCS": world,
            "SLURM_JOB_ID": zero,
            "SLURM_JOBID": zero,
            "SLURM_NODELIST": Val("localhost", here),
        }
    run.environ.update({**slurm_variables(launch), **names, **run.environ})


def started_in_ranks(launch: Launch) -> bool:
    """Tell whether the program is one of several processes that a launcher, or a program like one, starts."""
    if launch.many is not None:
        return True
    names = [name for name, _ in launch.launchers]
    return launch.ranks and not all(name in ("sbatch", "salloc", "qsub", "bsub", "condor_submit") for name in names)


def node_count(launch: Launch) -> Val | None:
    """Give the number of nodes."""
    if launch.nodes is not None:
        return launch.nodes
    for name in ("nodes",):
        if name in launch.slurm:
            return whole_number(str(launch.slurm[name].data), launch.slurm[name].src)
    return None


def process_count(launch: Launch, nodes: Val | None) -> Val | None:
    """Give the number of processes over all nodes; None where the launchers do not settle it."""
    if not started_in_ranks(launch):
        return None
    if launch.total is not None:
        return launch.total
    if launch.per_node is not None:
        if nodes is None:
            return launch.per_node
        if isinstance(nodes.data, int) and isinstance(launch.per_node.data, int):
            return Val(nodes.data * launch.per_node.data, join_spots(launch.per_node, nodes))
        return None
    slurm = launch.slurm
    if any(name == "srun" for name, _ in launch.launchers) and launch.launchers[-1][0] == "srun":
        if "ntasks" in slurm:
            return whole_number(str(slurm["ntasks"].data), slurm["ntasks"].src)
        if "ntasks_per_node" in slurm and nodes is not None and isinstance(nodes.data, int):
            per = whole_number(str(slurm["ntasks_per_node"].data), slurm["ntasks_per_node"].src)
            if isinstance(per.data, int):
                return Val(per.data * nodes.data, join_spots(per, nodes))
        if "ntasks_per_node" not in slurm and nodes is not None and isinstance(nodes.data, int):
            return nodes
    return None


def read_accelerate(run: Run, launch: Launch) -> None:
    """Take processes, machines and precision from accelerate's configuration file."""
    given = launch.options.get("accelerate.config_file")
    if given is None or not isinstance(given.data, str):
        return
    for base in (launch.workdir, "."):
        path = posixpath.normpath(posixpath.join(base, given.data))
        if run.repository.is_file(path):
            config = load_config(run, path)
            if config is None or not isinstance(config.data, dict):
                return
            run.configs.append(("accelerate", config))
            total, machines = config.data.get("num_processes"), config.data.get("num_machines")
            if launch.total is None and total is not None and isinstance(total.data, int):
                launch.total = total
            if launch.nodes is None and machines is not None and isinstance(machines.data, int):
                launch.nodes = machines
            for key in ("mixed_precision", "distributed_type", "deepspeed_config", "fsdp_config"):
                if key in config.data:
                    launch.options.setdefault(f"accelerate.{key}", config.data[key])
            return
    run.note(f"accelerate's configuration {given.data} is not in the repository")
    launch.options["accelerate.absent"] = given
