"""Networks of segmentation_models_pytorch are as large as their encoder and the way back from it."""

import pytest

CODE = """
import segmentation_models_pytorch as smp
import torch

net = smp.{made}
optimizer = torch.optim.Adam(net.parameters())
for step in range(40):
    optimizer.zero_grad()
    net(torch.ones(1, 3, 64, 64)).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "size"),
    [
        ("Unet()", "24.4M"),
        ("Unet(encoder_name='resnet50', classes=5)", "32.5M"),
        ("Unet('mobilenet_v2')", "6.62M"),
        ("create_model('Unet', 'resnet34')", "24.4M"),
        ("DeepLabV3Plus('resnet50')", "26.7M"),
        ("Unet('resnet34', decoder_channels=(64, 32, 16))", None),
        ("Unet('resnet34', classes=kinds)", None),
        ("PAN('resnet34')", None),
    ],
)
def test_encoder_and_way_back_are_counted(read, made, size):
    assert read({"fit.py": CODE.format(made=made)}, "python fit.py").param_size == size
