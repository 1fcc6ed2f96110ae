"""Trainers that a program hands all it wants as arguments: Composer's, Ultralytics', RLlib's, Coqui's."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.composer import read_composer
from schedmate.readers.code.frameworks.coqui import read_coqui
from schedmate.readers.code.frameworks.ray import read_rllib
from schedmate.readers.code.frameworks.sentence_transformers import read_sentence_transformers
from schedmate.readers.code.frameworks.ultralytics import read_ultralytics


def read_told_trainers(view: View) -> None:
    """Take what the first such trainer on the path is told, and what it does by itself."""
    for event in view.events:
        if event.short == "Trainer" and event.name.startswith("composer."):
            read_composer(view, event)
        elif event.short == "train" and "YOLO" in event.name:
            read_ultralytics(view, event)
        elif event.name.startswith("ray.rllib."):
            read_rllib(view, event)
        elif event.name == "trainer.Trainer":
            read_coqui(view, event)
        elif event.short == "fit" and ("train_objectives" in event.kwargs or "sentence_transformers." in event.name):
            read_sentence_transformers(view, event)
