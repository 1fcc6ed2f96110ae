"""What the labels of framework and distribution say, which are put together of several: `Transformers, PyTorch`."""

from schedmate.readers.code.evidence.view import View


def computes_with(view: View, framework: str) -> bool:
    """Tell a job that computes with a framework, be it beneath another."""
    return framework in str(view.get("framework"))


def is_spread_by(view: View, way: str) -> bool:
    """Tell a job whose work is spread in this way, maybe in others too: `DDP` of `DDP+tensor parallel`."""
    return way in str(view.get("distributed"))
