"""Which Hydra a project asks for: before 1.1 what a defaults list names went over the file that lists it.

Groups without a `# @package` of their own were merged at the root until then, too.
"""

import posixpath

from schedmate.readers.code.values.run import Run
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.repository import inside

LISTS = (
    "requirements.txt", "setup.py", "pyproject.toml", "setup.cfg", "environment.yml", "environment.yaml",
    "conda_env.yml",
)  # fmt: skip
"""Files that say which versions are to be installed."""
OLD = late_re2(r"(?i)\bhydra[-_]core[\"']?\s*(?:(?:[=~]?=)\s*[\"'^~]*(?:0\.\d|1\.0\b)|[^\n;\"'#]{0,20}<\s*1\.1\b)")


def asks_for_old_hydra(run: Run) -> bool:
    """Tell a project that pins a Hydra before 1.1."""
    home = posixpath.dirname(run.main.path) if run.main is not None else ""
    folders = dict.fromkeys((home or ".", run.workdir, "."))
    paths = (posixpath.normpath(inside(folder, name)) for folder in folders for name in LISTS)
    return any(OLD.search(run.repository.glimpse(path)) for path in paths)
