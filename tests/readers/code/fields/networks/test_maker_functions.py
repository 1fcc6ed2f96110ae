"""What a network is called by the function that makes it: `resnet18()` gives a `ResNet`."""

import pytest

from tests.readers.code.networks import KERAS_CNN, VGG_MAKERS, VGG_STEPS


@pytest.mark.parametrize(("made", "name"), [("vgg8()", "vgg8"), ("get_vgg13(classes=4)", "vgg13"), ("best()", "VGG")])
def test_a_network_is_named_after_the_function_beside_its_class_that_makes_it(read, made, name):
    job = read({"nets.py": VGG_MAKERS, "go.py": VGG_STEPS.format(made=made)}, "python go.py")
    assert (job.model_name, job.model_type) == (name, "cnn")


def test_a_maker_of_another_name_than_the_class_names_no_network(read):
    other = VGG_MAKERS.replace("class VGG(", "class ResNeXt(").replace("return VGG(", "return ResNeXt(")
    other = other.replace("vgg8", "resnet8")
    program = VGG_STEPS.replace("vgg8", "resnet8").format(made="resnet8()")
    assert read({"nets.py": other, "go.py": program}, "python go.py").model_name == "ResNeXt"


@pytest.mark.parametrize(
    ("maker", "name"),
    [
        ("unet", "unet"),
        ("get_unet", "unet"),
        ("unet_3d", "unet_3d"),
        ("build_it", "CNN"),
        ("train_unet", "CNN"),
        ("compare_with_bert", "CNN"),
        ("unet_vs_resnet", "CNN"),
    ],
)
def test_layers_are_called_after_the_function_that_puts_them_together(read, maker, name):
    assert read({"main.py": KERAS_CNN.format(maker=maker, mode="None")}, "python main.py").model_name == name


def test_a_copy_is_named_after_the_function_that_made_what_it_is_a_copy_of(read):
    program = VGG_STEPS.format(made="copy.deepcopy(vgg8())")
    job = read({"nets.py": VGG_MAKERS, "go.py": f"import copy\n{program}"}, "python go.py")
    assert job.model_name == "vgg8"
