"""Networks that programs of several tests train, and how they train them."""

TWO_NETS = """
import torch
from torch import nn

class TensorField(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

class Spinner(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

class Assembly_Net(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
"""
NET_STEPS = "for step in range(40):\n    net(step).sum().backward()\n    optimizer.step()\n"
NET_SGD = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
UNET = """
import torch
from torch import nn

class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 4, 3)

net = UNet()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""
ONE_LAYER = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)
"""
NET_AND_OPTION = f"""
import torch
from torch import nn
import sys
{ONE_LAYER}
net = Net()
settings = open(sys.argv[1]).read()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    nn.functional.cross_entropy(net(x), y).backward()
    sgd.step()
"""
TRAIN_BATCHES = """
    from torch.utils.data import DataLoader

    def train(model, data, batch_size=4):
        loader = DataLoader(data, batch_size=batch_size, shuffle=True)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        for epoch in range(3):
            for batch in loader:
                loss = model(batch)
                loss.backward()
                optimizer.step()
"""
CONV_NET = """
class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
"""
OWN_RESNET = """
import torch
from torch import nn
{imports}

class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 4, 3)

net = ResNet()
loss = {loss}
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    loss(net(step), step).backward()
    optimizer.step()
"""
VGG_MAKERS = """
from torch import nn

class VGG(nn.Module):
    def __init__(self, widths, classes):
        super().__init__()
        self.features = nn.Conv2d(3, widths[0], 3)
        self.last = nn.Linear(widths[-1], classes)

    def forward(self, x):
        return self.last(self.features(x).mean((2, 3)))

def _make(widths, classes):
    return VGG(widths, classes)

def vgg8(classes=10):
    return _make([8, 16], classes)

def get_vgg13(classes=10):
    return VGG([16, 32, 64], classes)

def best(classes=10):
    return VGG([4], classes)
"""
VGG_STEPS = """
import torch
from nets import vgg8, get_vgg13, best
network = {made}
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
for step in range(7):
    network(step).sum().backward()
    optimizer.step()
"""
KERAS_CNN = """
from keras.models import Model
from keras.layers import Input, Conv2D
from keras.preprocessing.image import ImageDataGenerator

def {maker}(size=(64, 64, 1)):
    inputs = Input(size)
    x = Conv2D(16, 3, activation="relu", padding="same")(inputs)
    x = Conv2D(1, 1, activation="sigmoid")(x)
    model = Model(inputs, x)
    model.compile(optimizer="adam", loss="binary_crossentropy")
    return model

pictures = ImageDataGenerator().flow_from_directory("data/train", batch_size=2, class_mode={mode})
net = {maker}()
net.fit_generator(pictures, epochs=3)
"""
NAMED_NET = """
import torch
{imports}
class {cls}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = {layer}
    def forward(self, x):
        return self.line(x)

{data}
net = {cls}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in rows:
    net(batch).sum().backward()
    optimizer.step()
"""
CONV_LAYER = "torch.nn.Conv2d(3, 4, 3)"


def with_training(text):
    """Give a program that may train what its text makes."""
    return "import torch\nfrom torch import nn\n" + TRAIN_BATCHES.replace("\n    ", "\n") + "\n" + text


def named_net(cls="Net", imports="", layer=CONV_LAYER, data="rows = read()"):
    """Give a program whose network, imports, layer and data are called so."""
    return NAMED_NET.format(cls=cls, imports=imports, layer=layer, data=data)
