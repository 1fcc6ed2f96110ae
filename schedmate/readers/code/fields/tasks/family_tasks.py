"""What models of a family learn: always, or where nothing else tells it."""

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet
from schedmate.knowledge.models import ModelFamily, family_of, squash
from schedmate.knowledge.tasks import classifies, is_vague, meaning_of, regresses, task_in_words
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.network_names import network_of
from schedmate.readers.code.fields.tasks.loss_tasks import SEEING, SOUND, losses_of
from schedmate.readers.code.fields.tasks.other_senses import fits, hears
from schedmate.readers.code.fields.tasks.task_clues import keep_task, known, text_at
from schedmate.readers.code.fields.words.project_words import lines_of_readme, project_lines, stands_beside
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import SourceLocation, held

SEQUENCE_HEADS = ("ForSequenceClassification", "ForTokenClassification")
TEXT_ENCODERS = words("tasks.text_encoders")

DESCRIBED = ("COCO", "Visual Genome")
"""Sets of pictures with boxes and with sentences."""

GENERATING = ("diffusion", "gan", "vae", "flow")


def by_sure_family(view: View) -> None:
    """Take what models of the family always learn; what reads other sequences than texts may get a head."""
    family = known(view).family
    head = next((event for event in view.events if any(end in event.name for end in SEQUENCE_HEADS)), None)
    if family is not None and family.task == "other" and head is not None:
        keep_task(view, "other", "sequence classification", (head.spot,))
    generates = family is not None and "segmentation" in family.fine and told_to_generate(view)
    if family is not None and (is_of_another_sense(view, family) or other_field(view, family) is not None):
        return  # what takes noise off images mostly takes it off text here
    if family is not None and not fits(view, family):
        return
    if family is not None and family.fine.startswith("image-text") and keep_one_sense(view):
        return
    if family is not None and keep_anomalies(view, family):
        return
    if family is not None and keep_named_beside(view, family):
        return
    named = task_in_words(str(view.get("model_name") or ""))
    if family is not None and named is not None and named[0] not in ("", family.task):
        keep_task(view, *named, view.values["model_name"].spots)
        return
    model = str(view.get("model_name") or "")
    used = family is not None and is_put_to_use(family, model)
    if not generates and not used and not is_detector(family, known(view).data):
        by_family(view, surely=True)


def keep_named_beside(view: View, family: ModelFamily) -> bool:
    """Take the task that a project's title says beside the model's name, where that is all that names the model."""
    model = known(view).model
    titles = {spot: text for text, spot in project_lines(view)[:4]} if model is not None else {}
    text = next((titles[spot] for spot in model.spots if spot in titles), "") if model is not None else ""
    found = task_in_words(text)
    if model is None or found is None or is_vague(found[1]) or found[0] not in ("", family.task):
        return False
    keep_task(view, *found, model.spots, "the project's own words")
    return True


def keep_anomalies(view: View, family: ModelFamily) -> bool:
    """Take finding what is unlike the samples where the title says it: what makes the usual ones cannot make others."""
    told = [(found, spot) for text, spot in project_lines(view)[:2] if (found := task_in_words(text)) is not None]
    spot = next((spot for found, spot in told if "anomaly detection" in found[1]), None)
    makes = family.kind.startswith(GENERATING) and "image generation" in (family.fine, family.usual)
    if spot is None or not makes or not sees(view):
        return False
    keep_task(view, family.task, "anomaly detection", (spot,), "the project's own words")
    return True


def keep_one_sense(view: View) -> bool:
    """Take what data of one sense are for where a model of pictures and words is tuned on them, and say so."""
    data, found = known(view).data, known(view).found
    if data is None or found is None or data.task not in ("CV", "NLP") or not data.fine or data.name in DESCRIBED:
        return False
    return view.keep("task_fine", data.fine, found.spots)


def is_of_another_sense(view: View, family: ModelFamily) -> bool:
    """Tell a way to generate, mostly pictures, that learns from data which are none: noise is taken off all things."""
    data, kind = known(view).data, str(view.get("model_type") or "")
    generates = family.kind.startswith(GENERATING) or kind.startswith(GENERATING)
    return generates and family.task == "CV" and data is not None and data.task not in ("", "CV", "multimodal")


def other_field(view: View, family: ModelFamily) -> tuple[str, str, SourceLocation] | None:
    """Give what a README first speaks of that are no pictures, where a model mostly makes or cuts such: seismograms."""
    if family.task != "CV" or not (family.kind.startswith(GENERATING) or family.usual == "semantic segmentation"):
        return None
    lines = [*project_lines(view)[:4], *(lines_of_readme(view, "") or [])[:4]]
    said = next(((*found, spot) for text, spot in lines if (found := task_in_words(text)) is not None), None)
    return said if said is not None and said[0] not in ("", "CV", "multimodal") else None


def spots_of_generators(view: View) -> tuple[SourceLocation, ...]:
    """Give the place of one of several networks between which the run decides, where all that are known generate."""
    network = held(view.once(network_of).value, Instance)
    classes = [network.cls, *network.rivals] if network is not None and network.rivals else []
    kinds = [family.kind for cls in classes if (family := family_of(cls.name)) is not None]
    generates = bool(kinds) and all(kind.startswith(GENERATING) for kind in kinds)
    return (network.cls.spot,) if network is not None and generates else ()


def told_to_generate(view: View) -> bool:
    """Tell a program that generates by the words of the README beside it, whatever its network mostly is for."""
    beside = [text for text, spot in project_lines(view)[:2] if stands_beside(view, spot)]
    return any(found is not None and "generat" in found[1] for found in map(task_in_words, beside))


def keep_other_sense(view: View, family: ModelFamily, spots: tuple[SourceLocation, ...]) -> bool:
    """Take only that a program hears where its family mostly sees; nothing where nothing is rewarded in it."""
    if family.kind.startswith(GENERATING) or fits(view, family):
        return False
    keep_task(view, "audio" if hears(view) else "", "", spots)
    return True


def by_family(view: View, surely: bool) -> None:
    """Take what models of the family learn: always, or where nothing else tells."""
    model, family = known(view).model, known(view).family
    if family is None or model is None or keep_other_sense(view, family, model.spots):
        return
    kind = str(view.get("model_type") or "")
    if kind.startswith("diffusion") and not family.kind.startswith("diffusion"):
        family = ModelFamily(kind, family.task, meaning_of(kind, family.task) or "", "")
    if kind.startswith("diffusion") and family.fine == "image generation" and (prompted := prompts(view)):
        keep_task(view, family.task, "text-to-image generation", prompted)
    if family.task == "CV" and family.kind in ("vae", "gan") and view.imports.intersection(SOUND):
        family = ModelFamily(family.kind, "audio", "", "audio generation")
    if family.task == "CV" and family.kind == "diffusion" and view.imports.intersection(SOUND):
        family = ModelFamily(family.kind, "audio", "", "")  # noise is taken off sound as often as sound is made
    learned = family.fine if surely else family.usual
    generates = family.task == "CV" and family.kind.startswith(GENERATING)
    if generates and family.fine in ("", "image generation") and not sees(view):
        return  # a way to generate whatever it is shown
    if family.usual == "image generation":
        learned = family.usual
    called = {event.short.removeprefix("new ") for event in view.events}
    if not surely and (told := other_field(view, family)) is not None:
        keep_task(view, told[0], told[1], (told[2],), "the project's own words")
        return
    if is_put_to_another_use(view, learned, called, surely):
        learned = ""
    if not surely and learned == "masked language modeling" and not masks_words(view):
        view.keep("task", family.task, model.spots)
        return  # what was learned so is put to another use
    if learned or not surely:
        keep_task(view, family.task, regresses(called, learned), model.spots)


def is_put_to_another_use(view: View, learned: str, called: set[str], surely: bool) -> bool:
    """Tell a network whose loss or data are not for what its family learns.

    A backbone learns what its head is for, what is shaped like an hourglass makes pictures of any kind, and graphs of
    points in space that are sorted into classes may be of anything.
    """
    if learned == "molecular property prediction":
        return "CrossEntropyLoss" in called and known(view).data is None
    if not surely and learned == "image classification":
        return not sorts_pictures(view, called)
    segments = learned == "semantic segmentation" and regresses(called, learned) == learned
    return not surely and segments and not sorts_pixels(view, called)


MASKING = ("ForMaskedLM", "ForPreTraining", "CollatorForLanguageModeling", "CollatorForWholeWordMask")
"""Parts of the names of heads and collators that have a network fill gaps."""


def masks_words(view: View) -> bool:
    """Tell a program that masks words or that is called after pre-training: encoders are mostly put to another use."""
    named = "pretrain" in squash(view.launch.name)
    return named or any(part in event.name for event in view.events for part in MASKING)


SORTED = (
    "one_hot",
    "to_categorical",
    "ImageFolder",
    "flow_from_directory",
    "image_dataset_from_directory",
    "accuracy_score",
    "accuracy",
    "topk",
)
"""Calls that read a folder for each class, or count the samples whose class was met."""


def sorts_pictures(view: View, called: set[str]) -> bool:
    """Tell a program of pictures whose data, loss or folders of samples are for classes."""
    data = known(view).data
    if data is not None:
        return "classification" in data.fine
    network = view.once(network_of).value
    if network is None or not isinstance(network.data, Instance):
        return True  # a library makes it with the head for classes
    losses = {loss for event in view.events for loss in losses_of(event)}
    return classifies(called | losses, "CV") is not None or not called.isdisjoint(SORTED)


def sees(view: View) -> bool:
    """Tell a program of pictures by its libraries, its layers or its data."""
    data = known(view).data
    of_pictures = data is not None and data.task == "CV" and bool(data.fine) and "point" not in data.fine
    if not of_pictures and runs_along(view):
        return False
    return of_pictures or "cnn" in str(view.get("model_type") or "") or not view.imports.isdisjoint(SEEING)


ALONG, ACROSS = re2.compile(r"(?i)(?:conv|unet|diffusion)\w*1d"), re2.compile(r"(?i)conv\w*[23]d")
"""Layers that go along one line, of time mostly, and across pictures."""


def runs_along(view: View) -> bool:
    """Tell a network of which all convolutions that were seen go along one line: it sees no pictures."""
    spots = [spot for one in view.candidates.get("model_type", ()) for spot in one.spots]
    lines = [text_at(view, spot) for spot in spots]
    return any(map(ALONG.search, lines)) and not any(map(ACROSS.search, lines))


def sorts_samples(view: View) -> bool:
    """Tell a program whose losses, metrics or labels are for classes, or that leaves those to what is out of sight."""
    if view.is_partial:
        return True
    called = {event.short.removeprefix("new ") for event in view.events}
    losses = {loss for event in view.events for loss in losses_of(event)}
    family = known(view).family
    usual = family is not None and family.usual == "image classification"
    return usual or classifies(called | losses, "CV") is not None or not called.isdisjoint(SORTED)


def sorts_pixels(view: View, called: set[str]) -> bool:
    """Tell a program of pictures whose data or loss are for classes of pixels."""
    data = known(view).data
    if data is not None and data.fine:
        return "segmentation" in data.fine
    losses = {loss for event in view.events for loss in losses_of(event)}
    overlaps = any(part in name.lower() for name in called | losses for part in ("dice", "iou", "bce"))
    return overlaps or classifies(called | losses, "CV") is not None


USES = ("seg", "det", "depth", "caption", "pose", "track", "cls", "probe", "linear")
"""What stands in names of programs and networks that put to use what was learned without labels."""


def is_put_to_use(family: ModelFamily, name: str) -> bool:
    """Tell a name that puts a way to learn without labels to another use: `DINO_SegNet`."""
    return family.fine.startswith("self-supervised") and any(use in name.lower() for use in USES)


def is_detector(family: ModelFamily | None, data: DataSet | None) -> bool:
    """Tell a detector, or a backbone tuned to detect, that goes by the name of a way to learn without labels."""
    learns_alone = family is not None and family.fine.startswith("self-supervised")
    return learns_alone and data is not None and data.fine == "object detection"


def prompts(view: View) -> tuple[SourceLocation, ...]:
    """Give the place where a generator of images gets an encoder of text beside it."""
    return next(((event.spot,) for event in view.events if event.sure and event.name.endswith(TEXT_ENCODERS)), ())
