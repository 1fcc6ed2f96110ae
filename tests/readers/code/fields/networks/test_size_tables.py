"""Sizes that a README's table of models gives beside the configuration that the command names."""

import pytest

SETTINGS = """
model = dict(type="MaskRCNN", backbone=dict(type="{backbone}"))
optimizer = dict(type="AdamW", lr=1e-4)
runner = dict(type="EpochBasedRunner", max_epochs=12)
"""
TABLE = """# Models

| Backbone | {head} | Config |
|---|---|---|
| Small | 48{unit} | [config](configs/small_adapter_fpn_3x.py) |
| Base | 120{unit} | [config](configs/base_adapter_fpn_3x.py) |
"""
TRAIN = """
import sys
from mmcv import Config
from mmdet.apis import train_detector
train_detector(Config.fromfile(sys.argv[1]))
"""


def sized(read, head, unit, name="base_adapter_fpn_3x", backbone="ViTAdapter"):
    files = {
        "train.py": TRAIN,
        f"configs/{name}.py": SETTINGS.format(backbone=backbone),
        "README.md": TABLE.format(head=head, unit=unit),
    }
    return read(files, f"python train.py configs/{name}.py")


@pytest.mark.parametrize(
    ("head", "unit", "size"),
    [("#Param", "M", "120M"), ("Params (M)", "", "120M"), ("params", "", None), ("box AP", "M", None)],
)
def test_the_row_of_the_configuration_tells_the_size(read, head, unit, size):
    assert sized(read, head, unit).param_size == size


def test_a_configuration_that_no_row_names_has_no_size(read):
    assert sized(read, "#Param", "M", name="large_adapter_fpn_3x").param_size is None


@pytest.mark.parametrize(("backbone", "kind"), [("ViTAdapter", "transformer"), ("ResNet", "cnn")])
def test_a_detector_is_built_as_its_backbone(read, backbone, kind):
    assert sized(read, "#Param", "M", backbone=backbone).model_type == kind
