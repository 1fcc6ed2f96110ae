"""Bring repositories to the commits that labels name, into the user's cache: nothing of them enters the project."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from schedmate.errors import InputError
from schedmate.settings import get_settings

HOST = "https://github.com"
SEPARATORS = ("+", "__", "/", "-")
CLONE_S = 900


def source_of(repo: str, commit: str, given: Path | None) -> Path:
    """Give a repository's files at a commit: from the folder that the user gives, the cache, or the network."""
    cached = get_settings().cache_dir / "repositories" / f"{repo.replace('/', '+')}@{commit[:12]}"
    if given is not None:
        found = find_given(repo, given)
        if found is None:
            raise InputError(
                f"{given} holds no {repo}",
                f"put it there as a folder or a git directory named {repo.replace('/', '+')}",
            )
        git = git_directory(found)
        if git is None:
            return found
        return cached if cached.is_dir() else export(git, commit, cached)
    return cached if cached.is_dir() else clone(repo, commit, cached)


def find_given(repo: str, given: Path) -> Path | None:
    """Find a repository in the user's folder by any of its usual names."""
    owner, _, name = repo.partition("/")
    names = [f"{owner}{separator}{name}" for separator in SEPARATORS] + [name, f"{name}.git"]
    return next((given / one for one in names if (given / one).is_dir()), None)


def git_directory(path: Path) -> Path | None:
    """Find the git directory of a clone, bare or not."""
    for place in (path, path / ".git", path / "repo", path / "repo" / ".git"):
        if (place / "HEAD").is_file() and (place / "objects").is_dir():
            return place
    return None


def clone(repo: str, commit: str, target: Path) -> Path:
    """Fetch a repository; what cannot be reached can be provided."""
    hint = "where the network does not reach it, give the repositories with --repos DIR"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        git = Path(folder) / "repo.git"
        command = ["git", "clone", "--quiet", "--bare", f"{HOST}/{repo}.git", str(git)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=CLONE_S)
        except (OSError, subprocess.SubprocessError) as error:
            raise InputError(f"{repo} cannot be fetched", hint) from error
        return export(git, commit, target)


def export(git: Path, commit: str, target: Path) -> Path:
    """Unpack one commit; files that the clone lacks are left out, and links where Python cannot check them."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        tree, archive = Path(folder) / "tree", Path(folder) / "tree.tar"
        tree.mkdir()
        done = subprocess.run(
            ["git", "--git-dir", str(git), "archive", "-o", str(archive), commit], capture_output=True, check=False
        )
        if done.returncode == 0 and hasattr(tarfile, "data_filter"):  # Python before 3.11.4 has none
            with tarfile.open(archive) as files:
                files.extractall(tree, filter=within)
        else:
            export_piecewise(git, commit, tree)
        shutil.move(tree, target)
    return target


def within(member: tarfile.TarInfo, place: str) -> tarfile.TarInfo | None:
    """Leave out what leads out of the folder: a link to another machine's path ends no unpacking."""
    try:
        return tarfile.data_filter(member, place)
    except tarfile.FilterError:
        return None


def export_piecewise(git: Path, commit: str, tree: Path) -> None:
    """Unpack file by file what a partial clone has."""
    base = ["git", "--git-dir", str(git)]
    listed = subprocess.run([*base, "ls-tree", "-r", "-z", commit], capture_output=True, check=False)
    if listed.returncode:
        raise InputError(f"{git} has no commit {commit}", "fetch it with its history")
    with subprocess.Popen([*base, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin
        assert reader.stdout
        for entry in listed.stdout.split(b"\0"):
            meta, _, name = entry.partition(b"\t")
            if not name or meta.split()[0] not in (b"100644", b"100755"):
                continue
            reader.stdin.write(meta.split()[2] + b"\n")
            reader.stdin.flush()
            head = reader.stdout.readline().split()
            if head[-1] == b"missing":
                continue
            place = tree / name.decode("utf-8", "replace")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(reader.stdout.read(int(head[2])))
            reader.stdout.read(1)
