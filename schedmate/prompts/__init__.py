"""Words for the model: one .md per call, nothing else."""

from importlib.resources import files


def load_prompt(name: str) -> str:
    """Read a prompt by its stem."""
    return files(__name__).joinpath(f"{name}.md").read_text("utf-8")
