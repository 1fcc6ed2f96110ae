"""Data sets by the words that name them; the table is data."""

import pytest

from schedmate.knowledge.datasets import known_dataset


@pytest.mark.parametrize("name", ["MMAL-Net-master", "MMALNet"])
def test_a_letter_before_a_word_makes_another_word_of_it(name):
    assert known_dataset(name) is None


@pytest.mark.parametrize("name", ["MalNet-Tiny", "data/malnet", "my_cifar10", "mycifar10"])
def test_a_data_set_is_still_found_behind_other_parts(name):
    assert known_dataset(name) is not None


def test_a_class_for_emotions_is_not_the_set_of_that_name():
    assert known_dataset("EmotionDataset") is None
    assert known_dataset("dair-ai/emotion").name == "Emotion"


@pytest.mark.parametrize(("name", "found"), [("LongformerEncoder", None), ("my_longform_rows", "LongForm")])
def test_a_word_inside_a_models_longer_name_is_no_data_set(name, found):
    known = known_dataset(name)
    assert (known.name if known is not None else None) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("/mnt/blocks/TCGA-CRC-DX/*", "TCGA-CRC-DX"),
        ("slides_tcga", "TCGA"),
        ("icsd_structures.json", "ICSD"),
        ("Amazon_Sports", "Amazon Sports"),
        ("cifar10net", "CIFAR-10"),
        ("imagenetconfig", "ImageNet"),
        ("openrlbenchmark", None),
        ("inforeader", None),
        ("compass", None),
    ],
)
def test_longer_names_go_before_what_they_begin_with_and_usual_words_name_none(name, found):
    known = known_dataset(name)
    assert (known.name if known is not None else None) == found
