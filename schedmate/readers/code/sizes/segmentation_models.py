"""Networks of segmentation_models_pytorch: a ready network of images, and a way back to the picture's size."""

from itertools import pairwise

from schedmate.knowledge.models import ready_network
from schedmate.knowledge.tables import table
from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

LIBRARY = "segmentation_models_pytorch."

WIDTHS = (256, 128, 64, 32, 16)
"""How many channels the steps of a U-Net's way back have."""
RESHAPING = {
    "decoder_channels",
    "encoder_depth",
    "decoder_attention_type",
    "decoder_use_batchnorm",
    "aux_params",
    "decoder_use_norm",
}
ARCHITECTURES = ("create_model",)


def segmentation_size(made: ExternalResult) -> int | None:
    """Give the parameters of a network of the library; nothing for anything else."""
    if not made.callee.startswith(LIBRARY) or not (made.short[:1].isupper() or made.short in ARCHITECTURES):
        return None
    by_name = made.short in ARCHITECTURES
    args = made.args[1:] if by_name else made.args
    short = (made.kwargs.get("arch") or next(iter(made.args), Value(None))).data if by_name else made.short
    encoder = made.kwargs.get("encoder_name") or next(iter(args), Value("resnet34"))
    classes = made.kwargs.get("classes", Value(1)).data
    if made.kwargs.keys() & RESHAPING or not isinstance(encoder.data, str) or type(classes) is not int:
        raise NotCounted(f"{short} that is made otherwise")
    known = table("ready_networks")["segmentation"].get(f"{str(short).lower()}/{encoder.data}")
    if known is not None:
        return int(known * 1e6)
    channels = table("ready_networks")["encoder_channels"].get(encoder.data)
    ready = ready_network(encoder.data)
    if str(short).lower() != "unet" or channels is None or ready is None or not ready.width:
        raise NotCounted(f"{short} on {encoder.data}")
    return int(ready.millions * 1e6) - (ready.width + 1) * 1000 + way_back(channels, classes)


def way_back(channels: list[int], classes: int) -> int:
    """Count the layers of a U-Net from the smallest map to the picture, with what is taken over from the way there."""
    total = WIDTHS[-1] * classes * 9 + classes
    taken = [*reversed(channels[:-1]), 0]
    for (before, after), beside in zip(pairwise((channels[-1], *WIDTHS)), taken, strict=True):
        total += (before + beside) * after * 9 + after * after * 9 + 4 * after
    return total
