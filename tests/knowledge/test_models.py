"""Model families by name, layers by type, sizes that names fix; the tables are data."""

import pytest

from schedmate.knowledge.models import family_of, named_class, size_of, without_role


def test_letters_of_two_parts_make_no_family():
    assert family_of("ActorCriticRNN") is None or family_of("ActorCriticRNN").kind == "rnn"
    assert family_of("CRNN").fine == "text recognition"


@pytest.mark.parametrize(
    ("name", "size"), [("bloom-1b1", "1.1B"), ("bloom-7b1", "7.1B"), ("Mixtral-8x7B-v0.1", "8x7B"), ("ViT-B16B", None)]
)
def test_sizes_are_read_as_names_write_them(name, size):
    assert size_of(name) == size


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("UNetRes", "U-Net"),
        ("UNETR", "UNETR"),
        ("ViT_S", "ViT"),
        ("vit_s", "ViT"),
        ("ViT-S", "ViT"),
        ("vits", "VITS"),
        ("VITS", "VITS"),
        ("vits_small", "VITS"),
    ],
)
def test_the_letter_of_a_size_behind_a_sign_makes_no_other_family(name, same):
    assert family_of(name) == family_of(same)
    assert family_of("ViT") != family_of("VITS")


@pytest.mark.parametrize("name", ["ResNetSimCLR", "resnet_byol", "moco_resnet50", "vit_mae"])
def test_a_backbone_that_learns_without_labels_goes_by_how_it_learns(name):
    family = family_of(name)
    assert family is not None
    contrasts = "simclr" in name.lower() or "moco" in name
    assert family.fine == "self-supervised pre-training" + (" (contrastive learning)" if contrasts else "")


@pytest.mark.parametrize("name", ["resnet50", "swin_tiny"])
def test_other_backbones_stay_what_they_are(name):
    family = family_of(name)
    assert family is not None
    assert not family.fine.startswith("self-supervised")


@pytest.mark.parametrize(
    ("dotted", "name"), [("nets.unet.Model", "unet"), ("src.Model", "Model"), ("core.networks.Net", "Net")]
)
def test_only_a_module_of_a_known_family_names_a_class_that_any_model_may_be(dotted, name):
    assert named_class(dotted) == name


@pytest.mark.parametrize(
    ("name", "fine"), [("Mask DINO", "instance segmentation"), ("dino_small", "self-supervised pre-training")]
)
def test_a_detector_that_is_called_after_a_way_to_learn_is_none(name, fine):
    assert family_of(name).fine == fine


@pytest.mark.parametrize(
    ("name", "bare"), [("NeRFTrainRunner", "NeRF"), ("NeRFSystem", "NeRF"), ("Training", "Training")]
)
def test_what_holds_a_model_for_its_training_is_called_after_it(name, bare):
    assert without_role(name) == bare


def test_the_first_digits_of_a_longer_number_make_no_family():
    assert family_of("tinydistil-l12-h384") is None
    assert family_of("h3-125m") == family_of("H3")
