"""Which Hydra a project asks for: before 1.1 what a defaults list names went over the file that lists it.

Groups without a `# @package` of their own were merged at the root until then, too.
"""

import posixpath

from schedmate.knowledge.code_words import words
from schedmate.readers.code.values.run import Run
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.repository import inside

REQUIREMENTS = words("configurations.requirements")

ASKED = late_re2(r"""(?im)^[^#\n]*?\bhydra[-_]core\b["']?\s*=?\s*(?:\{\s*version\s*=\s*)?["']?([^#\n;"'\]})]*)""")
"""What stands behind its name, up to the end of the text or the line."""
OLD = late_re2(
    r"^=?\s*(?:0\.\d+|1\.0)(?:\.[\w*]+)?\s*(?:=\S*)?$|^~=?\s*0\.|^~=\s*1\.0\.\d|^~\s*1\.0|^\^\s*0\."
    r"|<\s*1\.1(?:\.0)?\s*(?:,|$)|<=\s*1\.0"
)
"""What leaves out 1.1: `~=1.0` and `^1.0` do not, a later one is installed."""


def asks_for_old_hydra(run: Run) -> bool:
    """Tell a project that pins a Hydra before 1.1, wherever it names one with a version."""
    home = posixpath.dirname(run.main.path) if run.main is not None else ""
    folders = dict.fromkeys((home or ".", run.workdir, "."))
    paths = dict.fromkeys(posixpath.normpath(inside(folder, name)) for folder in folders for name in REQUIREMENTS)
    asked = [found.strip() for path in paths for found in ASKED.findall(run.repository.glimpse(path))]
    pins = [one for one in asked if one]
    return bool(pins) and all(OLD.search(one) for one in pins)
