"""Follow a program from its first line, and hand back everything that was seen on the way."""

import ast
import posixpath
from collections.abc import Callable
from functools import partial

import re2

from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.adapters import new_run, settle_launch
from schedmate.readers.code.configs.shared_settings import settle_open_settings
from schedmate.readers.code.entry_points import entry_point, listed_script, worked_out_entry
from schedmate.readers.code.evidence.view import Program
from schedmate.readers.code.inline_code import inline_code
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.launchers.notebooks import given_parameters
from schedmate.readers.code.launchers.rank_environment import rank_words, settle_facts
from schedmate.readers.code.launchers.script_lookup import locate, roots_of
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.launchers.started_programs import inner_programs, likelihood, opened
from schedmate.readers.code.python.builtins.formatting import shown
from schedmate.readers.code.python.modules.imports import find_module
from schedmate.readers.code.python.modules.modules import LazyImport, execute_module, module_attribute
from schedmate.readers.code.python.modules.named_files import stands_as_written
from schedmate.readers.code.shell.session import ShellSession, StartedProgram
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.leaving import BudgetSpent, ProgramExited, ProgramRaised
from schedmate.readers.code.values.objects import SpawnedCommand
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.scopes import Module, PinnedNames, Scope
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, join_spots
from schedmate.readers.code.values.whole_numbers import whole_count
from schedmate.tools.notebook import is_notebook
from schedmate.tools.repository import Repository, inside

LONGEST_COMMAND = 20_000
MOST_IMPORTS = 20
LONGEST_NOTE = 200
TRAINING = re2.compile(r"\.backward\(|\bfit\w*\(|\btrain\w*\(|minimize\(|apply_gradients\(|value_and_grad\(")


def prepared(repository: Repository, launch: Launch, command: str) -> Program:
    """Give a program that nothing was followed of yet."""
    run = new_run(repository, arguments_of(launch))
    run.interesting, run.workdir, run.written = interesting_names(), launch.workdir, dict(launch.written)
    run.copied = dict(launch.copied)
    run.started_from = tuple(posixpath.dirname(script) or "." for script in reversed(launch.scripts))
    settle_launch(run, launch)
    settle_facts(run, launch)
    settle_open_settings(run, launch.words)
    return Program(launch, run, command)


def follow(repository: Repository, launch: Launch, command: str, follows_use: bool = False) -> Program:
    """Follow a program from its first line; with its evaluations where they are all its work."""
    program = prepared(repository, launch, command)
    program.run.follows_use = follows_use
    script = locate(repository, launch) or listed_script(repository, launch)
    if script is None:
        inline = inline_code(launch)
        if inline is not None:
            follow_inline(program, *inline)
            return program
        entry = entry_point(repository, launch) or worked_out_entry(repository, launch)
        if entry is not None:
            follow_entry(program, *entry)
        return program
    follow_file(program, script)
    return program


def is_here(repository: Repository, launch: Launch) -> bool:
    """Tell a program whose source lies in the repository."""
    return locate(repository, launch) is not None or entry_point(repository, launch) is not None


def spawned_by(program: Program, is_installed: Callable[[Launch], bool]) -> Launch | None:
    """Give the likeliest program that a wrapper in Python starts in turn; started in a loop it is one of several."""
    repository = program.run.repository
    found: list[tuple[Launch, SpawnedCommand]] = []
    by_shells: dict[str, tuple[Value | None, Value]] = {}
    for spawned in program.run.about(ProcessSigns).commands:
        environment = {**program.launch.environment, **spawned.environment}
        workdir = spawned.workdir or program.launch.workdir
        outer = Launch(environment=environment, workdir=workdir, asked=dict(program.launch.asked))
        outer.written, outer.copied = files_before(spawned, by_shells), dict(spawned.copied)
        started = behind(program, spawned, outer)
        by_shells |= {
            path: (spawned.written.get(path), text)
            for path, text in outer.written.items()
            if spawned.written.get(path) is not text
        }
        found += [(one, spawned) for one in started if is_here(repository, one) or is_installed(one)]
    if not found:
        return None
    launch, spawned = max(found, key=lambda pair: likelihood(repository, pair[0]))
    settle_copies(launch, spawned)
    if not launch.ranks:
        keep_ranks(launch, program.launch)
    return launch


def keep_ranks(launch: Launch, outer: Launch) -> None:
    """Let what each of several ranks starts be as many: a wrapper that hands its words on to the trainer."""
    if started_in_ranks(outer):
        launch.launchers, launch.distributed = [*outer.launchers], launch.distributed or outer.distributed
        launch.per_node, launch.nodes, launch.total, launch.many = outer.per_node, outer.nodes, outer.total, outer.many


def files_before(spawned: SpawnedCommand, by_shells: dict[str, tuple[Value | None, Value]]) -> dict[str, Value]:
    """Give what stands in files when a command starts: a shell's text until the program writes another one."""
    return spawned.written | {
        path: text for path, (before, text) in by_shells.items() if spawned.written.get(path) is before
    }


def behind(program: Program, spawned: SpawnedCommand, outer: Launch) -> list[Launch]:
    """Follow a command that a program starts to the programs behind it; what is open in it stays so."""
    data, spot, repository = spawned.command.data, spawned.spot, program.run.repository
    shell = ShellSession(repository, outer.workdir)
    if isinstance(data, (str, Unknown)):
        text = shown(spawned.command)[:LONGEST_COMMAND]
        if "\n" in text and not stands_as_written(program.run, text, spot):
            text = text.replace("\\\n", " ").lstrip("\n")
        inner = InnerCommand(text, spot.path, spot.line)
        return inner_programs(repository, outer, inner, shell, 0)
    known = data if isinstance(data, (list, tuple)) else ()
    words = [Value(shown(word), word.src or (spot,)) for word in known if isinstance(word.data, (str, Unknown))]
    launch = program.launch
    started = StartedProgram(words, {}, outer.workdir, launch.sure, launch.scripts, written=outer.written)
    started.copied = outer.copied
    return opened(repository, started, shell, outer, 0) if words else []


def settle_copies(launch: Launch, spawned: SpawnedCommand) -> None:
    """Count the processes that a loop starts as ranks of one job: those of one machine, and over all if it says so."""
    if not spawned.in_loop:
        return
    launch.many = spawned.spot
    size = spawned.environment.get("WORLD_SIZE")
    total = whole_count(str(size.data)) if size is not None else None
    if size is not None and total is not None:
        count = spawned.count
        launch.total = Value(total, size.src or (spawned.spot,))
        if count is not None and isinstance(count.data, int) and count.data > 0 == total % count.data:
            launch.per_node = Value(count.data, count.src or (spawned.spot,))
            launch.nodes = Value(total // count.data, join_spots(launch.total, launch.per_node))


def arguments_of(launch: Launch) -> list[Value]:
    """Give the program's words, its name first."""
    return [Value(launch.name, (launch.spot,)), *rank_words(launch), *launch.words[1:]]


def follow_file(program: Program, path: str) -> None:
    """Follow a file as the main program."""
    run, launch = program.run, program.launch
    run.roots = roots_of(path, launch.workdir, launch.environment)
    if launch.kind in ("module", "dora"):
        run.roots = tuple(dict.fromkeys((launch.workdir, *run.roots)))
        top, _, below = launch.name.partition(".")
        run.package = top if path in (f"{below.replace('.', '/')}{end}" for end in (".py", "/__main__.py")) else ""
    module = Module(posixpath.splitext(path)[0].replace("/", "."), path, posixpath.dirname(path) or ".", is_main=True)
    program.found, program.entry, program.main = True, SourceLocation(path, 1), module
    given = given_parameters(run.repository, launch)
    if given:
        module.vars = PinnedNames(given)
    if not path.endswith(".py") and not is_notebook(path):
        program.notes.append(f"{path} is taken for Python")
    guarded(program, lambda: execute_module(run, module))
    program.complete = program.complete and run.trees.get(path) is not None


def follow_inline(program: Program, tree: ast.Module, spot: SourceLocation) -> None:
    """Follow code that the command hands over: its imports are looked up where it is started."""
    run, launch = program.run, program.launch
    run.roots = roots_of(inside(launch.workdir, "main"), launch.workdir, launch.environment)
    run.trees[spot.path] = tree
    program.found, program.entry, program.main = True, spot, Module("__main__", spot.path, launch.workdir, is_main=True)
    guarded(program, lambda: execute_module(run, program.main))


def unused_imports(program: Program) -> list[Module]:
    """Give the modules that the main file imports and uses nothing of, and whose text has a word of training."""
    found = [value.data for value in program.main.vars.values() if isinstance(value.data, (Module, LazyImport))]
    modules = {one.path: one for data in found if not (one := module_of(data)).done and one.path}
    waiting = list(modules.values())[:MOST_IMPORTS]
    return [module for module in waiting if TRAINING.search(program.run.repository.glimpse(module.path))]


def follow_imports(program: Program) -> None:
    """Follow what the main file only imports: what stands outside of functions there is done all the same."""
    for module in unused_imports(program):
        guarded(program, partial(execute_module, program.run, module))


def module_of(imported: Module | LazyImport) -> Module:
    """Give the module that an import names, whole or for something in it."""
    return imported.module if isinstance(imported, LazyImport) else imported


def follow_entry(program: Program, module_name: str, function: str, spot: SourceLocation) -> None:
    """Follow an installed command through its entry point."""
    run = program.run
    roots = roots_of(module_name.replace(".", "/"), program.launch.workdir, program.launch.environment)
    run.roots = (*roots[1:], roots[0])  # an installed command is not started from its module's folder
    module = find_module(run, module_name, run.roots)
    if module is None or not module.path:
        return
    program.found, program.entry = True, spot

    def enter() -> None:
        callee = module_attribute(run, module, function) if function else Value(None)
        if function and not isinstance(callee.data, Unknown):
            run.call(callee, [], {}, spot, Scope(module, module.vars))

    guarded(program, enter)


def guarded(program: Program, work: Callable[[], None]) -> None:
    """Follow until the program ends or the budget does."""
    run = program.run
    program.complete = True
    try:
        work()
    except ProgramExited:
        pass
    except ProgramRaised:
        program.complete = False
    except BudgetSpent:
        run.note("the program is too long to be followed to its end", Gap.PATH)
        program.complete = False
    except RecursionError:
        run.note("the program is nested too deeply to be followed to its end", Gap.PATH)
        program.complete = False
    except Exception as error:  # a fault of the reader's own: what was seen before it still counts
        told = f"the program is followed up to a fault of the reader: {type(error).__name__}: {error}"
        run.note(told[:LONGEST_NOTE], Gap.PATH)
        program.complete = False


def interesting_names() -> frozenset[str]:
    """Give every spelling under which an option with a meaning may be read."""
    plain = {name for names in option_names().values() for name in names}
    shapes = {shape(name) for name in plain for shape in (str, str.upper, camel)}
    return frozenset({*plain, *shapes, *(name.replace("_", "-") for name in plain)})


def camel(name: str) -> str:
    """Write `batch_size` as `batchSize`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
