"""Sentence Transformers: the older fit, which makes its optimizer itself."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.precision_words import keep_switch
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default


def read_sentence_transformers(view: View) -> None:
    """Take what the older `fit` of sentence encoders is told, which makes its optimizer itself."""
    for event in view.events:
        if event.short != "fit" or not ("train_objectives" in event.kwargs or "sentence_transformers." in event.name):
            continue
        given, defaults = event.kwargs, library_config("sentence_transformers.fit")
        told = given.get("optimizer_params")
        half, kind = given.get("use_amp"), given.get("optimizer_class")
        view.number("epochs", given.get("epochs"))
        if told is not None and isinstance(told.data, dict):
            view.number("learning_rate", told.data.get("lr"))
        elif told is not None:
            view.rule_out("learning_rate")
        keep_switch(view, half, event.spot)
        for name, value in defaults.items():
            if (name == "optimizer" and kind is not None) or (name == "precision" and half is not None):
                continue
            keep_default(view, name, event, value, f"sentence_transformers' fit: {name} = {value}")


RULES = (Rule(Subject.TRAINER, "Sentence Transformers", read_sentence_transformers),)
