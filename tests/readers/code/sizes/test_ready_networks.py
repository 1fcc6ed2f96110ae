"""Networks that libraries make by name: the published size, less its last layer, with the one the program puts in."""

import pytest

from schedmate.knowledge.models import ready_network, size_of, squash
from schedmate.knowledge.tables import table
from schedmate.readers.code.sizes.counting import count_parameters

HEAD = """
import timm
import torch
from torch import nn
from torch_geometric.nn import to_hetero
from torchvision import models
from transformers import AutoModel
from ultralytics import YOLO

class Tagger(nn.Module):
    def __init__(self, labels, width=None):
        super().__init__()
        self.body = AutoModel.from_pretrained("bert-base-uncased")
        self.head = nn.Linear(self.body.config.hidden_size if width is None else width, labels)

    def forward(self, x):
        return self.head(self.body(x))

class Over(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.head = nn.Linear(3, 10)

    def forward(self, x):
        return self.head(self.body(x))
"""


@pytest.fixture
def counted(follow):
    """Follow a program and count the network that it calls `net`; nothing where the count is open."""

    def count(code):
        run, names = follow(HEAD + code, "")
        return count_parameters(run, names["net"])

    return count


@pytest.mark.parametrize(
    ("code", "total"),
    [
        ("net = models.resnet18()", 11_690_000),
        ("net = models.resnet18()\nnet.fc = nn.Linear(512, 10)", 11_690_000 - 513_000 + 5_130),
        ("net = models.mobilenet_v2()\nnet.classifier[1] = nn.Linear(1280, 10)", 3_500_000 - 1_281_000 + 12_810),
        ("net = models.vit_b_16()\nnet.heads.head = nn.Linear(768, 5)", 86_570_000 - 769_000 + 3_845),
        ("net = models.resnet50()\nnet.fc = nn.Linear(net.fc.in_features, 2)", 25_560_000 - 2_049_000 + 4_098),
        ("net = models.vgg16()\nnet.classifier = nn.Linear(25088, 4)", None),
        ("net = timm.create_model('efficientnet_b0', num_classes=10)", 5_290_000 - 1_281_000 + 12_810),
        ("net = timm.create_model('resnet18.a1_in1k', num_classes=0)", 11_690_000 - 513_000),
        ("net = timm.create_model('nobodys_net', num_classes=10)", None),
        ("net = timm.create_model('mobilenetv3_small_050', num_classes=len(open('labels').read()))", None),
        ("net = timm.create_model('resnet18', num_classes=len(open('labels').read()))", 11_690_000),
        ("net = timm.create_model('resnet50', features_only=True)", None),
        ("net = timm.create_model('inception_v3')", None),
        ("net = timm.create_model('swin_tiny_patch4_window7_224.ms_in22k')", None),
        ("net = models.inception_v3(aux_logits=False)", None),
        ("net = models.googlenet()", None),
        ("net = models.mobilenet_v2()\nnet.classifier[0] = nn.Dropout(0.5)", 3_500_000),
        ("net = models.vgg16()\nnet.classifier[3] = nn.Linear(4096, 256)", None),
        ("net = models.resnet50()\nnet.layer4 = nn.Identity()", None),
        ("net = models.resnet18()\nnet.fc = nn.Linear(net.bn1.num_features, 9)", 11_690_000 - 513_000),
        ("net = models.resnet18()\nnet.fc = nn.Sequential(nn.Linear(net.bn1.num_features, 9))", 11_690_000 - 513_000),
        ("net = Over(torch.hub.load('facebookresearch/dinov2', 'dinov2_vits14'))", 21_000_000 + 40),
        ("net = Over(torch.hub.load('some/one', 'nobodys_net'))", None),
        ("net = Over(to_hetero(nn.Linear(64, 640), 'metadata'))", None),
        ("net = YOLO('yolo11s.pt')", 9_400_000),
        ("net = models.resnet18()\nnet.conv1 = nn.Conv2d(1, 64, 7)\nnet.fc = nn.Identity()", 11_690_000 - 513_000),
        ("net = models.resnet50()\nnet.layer4 = nn.Identity()\nnet.fc = nn.Linear(1024, 10)", None),
        ("net = models.mobilenet_v2(width_mult=0.5)", None),
        ("net = AutoModel.from_pretrained('bert-base-uncased')\nnet.encoder.layer = net.encoder.layer[:6]", None),
        ("net = AutoModel.from_pretrained('bert-base-uncased', num_hidden_layers=2)", None),
        ("net = Tagger(7)", 110_000_000 + 769 * 7),
        ("net = Tagger(30_000)", None),
        ("net = Tagger(30_000, 768)", 110_000_000 + 769 * 30_000),
    ],
)
def test_a_ready_network_has_its_published_size_with_its_own_last_layer(counted, code, total):
    assert counted(code) == total


def test_each_ready_network_is_found_by_its_name_and_stands_in_one_table():
    for name, row in table("ready_networks")["networks"].items():
        assert name == squash(name)
        assert name not in table("models")["sizes"]
        assert ready_network(name) == (row[0], row[1] if len(row) > 1 else 0)
        assert len(row) == 1 or 1000 * (row[1] + 1) < row[0] * 1e6 * 0.75, name


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("vit_base_patch16_224.augreg_in21k", "86.6M"),
        ("timm/resnet50.a1_in1k", "25.6M"),
        ("ViT-B/16", None),
        ("ViT-B-32", None),
        ("vit_b_32", "88.2M"),
        ("vgg16.h5", None),
        ("DeepChem/ChemBERTa-77M-MTR", "3.4M"),
        ("Qwen/Qwen2.5-0.5B", "0.5B"),
        ("deepseek_R1", None),
    ],
)
def test_names_tell_sizes_with_and_without_the_name_of_weights(name, size):
    assert size_of(name) == size


REBUILT = """
from tensorflow.keras.applications import VGG16
model = VGG16(include_top={top})
model.compile("adam", "mse")
model.fit([1], [2], epochs=3)
"""


@pytest.mark.parametrize(("top", "size"), [(True, "138M"), (False, None)])
def test_a_ready_network_without_its_top_has_not_the_size_that_its_name_tells(read, top, size):
    assert read({"go.py": REBUILT.format(top=top)}, "python go.py").param_size == size


SPLIT = "parts = list(models.resnet18().children())\n"


@pytest.mark.parametrize(
    ("code", "total"),
    [
        ("net = nn.Sequential(*list(models.resnet18().children())[:-1])", 11_690_000 - 513_000),
        ("net = nn.Sequential(*list(models.resnet18(pretrained=True).children())[:-2])", 11_690_000 - 513_000),
        ("net = nn.Sequential(*list(models.resnet18().children()))", 11_690_000),
        ("net = nn.Sequential(*list(models.resnet18().children())[:6])", None),
        ("net = nn.Sequential(*list(models.mobilenet_v2().children())[:-1])", 3_500_000 - 1_281_000),
        ("net = nn.Sequential(*list(models.vgg16().children())[:-1])", None),
        ("net = nn.Sequential(*list(models.resnet18().children())[6:])", None),
        ("net = nn.Sequential(*list(models.resnet18().children())[:7], nn.Linear(4, 8))", None),
        ("net = nn.Sequential(*list(models.resnet18().children())[1:-1])", 11_690_000 - 513_000),
        (f"{SPLIT}net = nn.Sequential(nn.Sequential(*parts[:5]), nn.Sequential(*parts[5:-1]))", 11_690_000 - 513_000),
        ("net = Over(IntermediateLayerGetter(models.resnet18(), {'layer4': '0'}))", 11_690_000 - 513_000 + 40),
        ("net = Over(IntermediateLayerGetter(models.resnet18(), {'layer2': 'a', 'layer3': 'b'}))", None),
        ("net = Over(IntermediateLayerGetter(models.densenet121(), return_layers={'features': 'a'}))", 6_955_040),
        ("net = Over(IntermediateLayerGetter(models.vgg11(), {'features': 'a'}))", None),
    ],
)
def test_children_of_a_ready_network_hold_all_layers_but_the_last(counted, code, total):
    assert counted(f"from torchvision.models._utils import IntermediateLayerGetter\n{code}") == total


ROWS = """
import torch
from torchvision.models import resnet34
net = torch.nn.Sequential(*list(resnet34().children()){rows})
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
for epoch in range(4):
    net(torch.rand(2, 3, 64, 64)).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("rows", "size"), [("[:-1]", "21.3M"), ("[:6]", None), ("[6:]", None)])
def test_some_rows_of_a_ready_network_have_not_the_size_that_its_name_tells(read, rows, size):
    assert read({"go.py": ROWS.format(rows=rows)}, "python go.py").param_size == size


def test_timm_tells_the_width_of_its_last_layer(counted):
    code = "import timm\nnet = timm.create_model('resnet50', pretrained=True)\n"
    code += "net.fc = nn.Linear(net.get_classifier().in_features, 10)"
    assert counted(code) == 25_560_000 - 2_049_000 + 20_490
