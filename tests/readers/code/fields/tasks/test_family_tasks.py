"""What models of a family learn: always, or where nothing else tells it."""

import pytest

from tests.readers.code.networks import CONV_NET, UNET, with_training

TWO = """
import torch
from torch import nn
{imports}

class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}

class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}

class PulseGAN(nn.Module):
    def __init__(self):
        super().__init__()
        self.generator, self.discriminator = Generator(), Discriminator()

gan = PulseGAN()
optimizer = torch.optim.Adam(gan.parameters(), lr=0.001)
for step in range(5):
    gan.generator(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("imports", "body", "task"),
    [("", "nn.LSTM(4, 4)", None), ("from PIL import Image", "nn.LSTM(4, 4)", "CV"), ("", "nn.Conv2d(3, 4, 3)", "CV")],
)
def test_what_generates_generates_pictures_where_pictures_are_seen(read, imports, body, task):
    job = read({"go.py": TWO.format(imports=imports, body=body)}, "python go.py")
    assert (job.task, job.task_fine) == (task, "image generation" if task else None)


PAIRED = """
import argparse
import torch
from transformers import CLIPModel

parser = argparse.ArgumentParser()
parser.add_argument("--dataset")
args = parser.parse_args()
print(args.dataset)
net = CLIPModel.from_pretrained("openai/clip-vit-base-patch32")
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    net(step).loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "fine"),
    [("sst2", "text classification (sentiment analysis)"), ("laion400m", "image-text contrastive pre-training")],
)
def test_a_model_of_pictures_and_words_learns_what_data_of_one_sense_are_for(read, data, fine):
    assert read({"go.py": PAIRED}, f"python go.py --dataset {data}").task_fine == fine


def test_the_usual_task_of_a_backbone_is_not_told_of_data_of_many_uses(read):
    code = UNET.replace("UNet", "ResNet").replace("net = ResNet()", "import argparse\nnet = ResNet()")
    code += "parser = argparse.ArgumentParser()\nparser.add_argument('--dataset')\nprint(parser.parse_args().dataset)\n"
    job = read({"go.py": code}, "python go.py --dataset kitti")
    assert (job.task, job.task_fine) == ("CV", None)
    assert read({"go.py": code}, "python go.py --dataset cifar10").task_fine == "image classification"


def test_a_name_that_says_a_task_wins_over_the_family_in_it(read):
    files = {"go.py": UNET.replace("UNet", "Net"), "README.md": "# text-style-transfer\n"}
    job = read(files, "python go.py")
    assert (job.model_name, job.task, job.task_fine) == ("text-style-transfer", "NLP", "text style transfer")


BARE = """
    import torch
    from transformers import {loader}

    encoder = {loader}.from_pretrained("bert-base-cased")
    judge = torch.nn.Linear(768, 6)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *judge.parameters()], lr=5e-5)
    for epoch in range(3):
        judge(encoder(rows())[-1]).sum().backward()
        optimizer.step()
    """


@pytest.mark.parametrize(("loader", "fine"), [("AutoModel", None), ("BertForMaskedLM", "masked language modeling")])
def test_a_trained_encoder_without_a_head_fills_no_gaps(read, loader, fine):
    found = read({"judge.py": BARE.format(loader=loader)}, "python judge.py")
    assert (found.task, found.task_fine) == ("NLP", fine)


def test_what_takes_noise_off_generates(read):
    text = CONV_NET.format(name="UNet") + "from diffusers import DDPMScheduler\nnoise = DDPMScheduler(1000)\n"
    found = read({"train.py": with_training(text + "train(UNet(), [1, 2])\n")}, "python train.py")
    assert (found.model_type, found.task, found.task_fine) == ("diffusion (cnn)", "CV", "image generation")


SOUND = {
    "train.py": """
        import {library}
        import torch
        from model import VQVAE

        model = VQVAE().cuda()
        optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
        for epoch in range(4):
            for sound in torch.utils.data.DataLoader([0.0], batch_size=2):
                loss = model(sound).sum()
                loss.backward()
                optimizer.step()
        """,
    "model.py": """
        import torch

        class VQVAE(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encode = torch.nn.Conv2d(1, 8, 3)
        """,
}


@pytest.mark.parametrize(("library", "task"), [("librosa", "audio"), ("torchvision", "CV")])
def test_what_generates_anything_generates_what_is_read(read, library, task):
    files = SOUND | {"train.py": SOUND["train.py"].replace("{library}", library)}
    assert read(files, "python train.py").task == task


HEAD = """
from transformers import {head}, Trainer, TrainingArguments
model = {head}.from_pretrained("{name}")
Trainer(model=model, args=TrainingArguments("out")).train()
"""


@pytest.mark.parametrize(
    ("head", "name", "task", "fine"),
    [
        ("AutoModelForSequenceClassification", "zhihan1996/DNABERT-2-117M", "other", "sequence classification"),
        ("AutoModelForMaskedLM", "zhihan1996/DNABERT-2-117M", "other", "genomic sequence modeling"),
        ("AutoModelForSequenceClassification", "roberta-base", "NLP", "text classification"),
        ("AutoModelForSeq2SeqLM", "t5-small", "NLP", "sequence-to-sequence"),
    ],
)
def test_a_head_tells_what_a_model_of_sequences_learns(read, head, name, task, fine):
    job = read({"run.py": HEAD.format(head=head, name=name)}, "python run.py")
    assert (job.task, job.task_fine) == (task, fine)


NET = """
import argparse
import torch
from torch import nn

class {base}(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 3, 3)
    def forward(self, x):
        return self.body(x)

class {name}({base}):
    pass

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="{data}")
args = parser.parse_args()
net = {name}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(30):
    optimizer.zero_grad()
    net(load(args.dataset)).sum().backward()
    optimizer.step()
"""


def job(read, base, name, data="cifar10", script="fit.py"):
    return read({script: NET.format(base=base, name=name, data=data)}, f"python {script}")


def test_a_class_is_of_the_family_that_it_is_built_on(read):
    found = job(read, "EvenTimeDiffusion", "Warper")
    assert (found.model_name, found.model_type, found.task_fine) == ("Warper", "diffusion (cnn)", "image generation")
    assert job(read, "Frame", "Warper").task_fine is None


@pytest.mark.parametrize(("loss", "fine"), [("", None), ("torch.nn.CrossEntropyLoss()", "semantic segmentation")])
def test_a_unet_segments_where_its_loss_sorts(read, loss, fine):
    code = with_training(CONV_NET.format(name="UNet") + f"{loss}\ntrain(UNet(), [1, 2])\n")
    found = read({"train.py": code}, "python train.py")
    assert (found.model_type, found.task_fine) == ("cnn", fine)


ONE_OF_TWO = """
    import sys
    import torch
    import torchvision

    class ONE:
        def __init__(self):
            self.net = torch.nn.Linear(784, 784)

        def train(self, batch):
            self.net(batch).sum().backward()

    class OTHER(ONE):
        def train(self, batch):
            self.net(batch).mean().backward()

    if sys.argv[1] == "a":
        model = ONE()
    else:
        model = OTHER()
    for x, _ in torch.utils.data.DataLoader(torchvision.datasets.MNIST("x"), batch_size=8):
        model.train(x)
"""


@pytest.mark.parametrize(
    ("one", "other", "fine"),
    [
        ("WGAN", "LSGAN", "image generation"),
        ("WGAN", "ResNet", None),
        ("A", "B", None),
    ],
)
def test_of_several_networks_those_that_all_generate_learn_to(read, one, other, fine):
    job = read({"go.py": ONE_OF_TWO.replace("ONE", one).replace("OTHER", other)}, "python go.py <kind>")
    assert (job.is_training, job.dataset_name, job.task_fine) == (True, "MNIST", fine)


@pytest.mark.parametrize(
    ("title", "task"),
    [
        ("Making seismic waveforms by taking off noise", "other"),
        ("3D UNet for aerosol prediction", "other"),
        ("What comes out of noise", "CV"),
    ],
)
def test_a_way_to_generate_makes_what_the_readme_speaks_of(read, title, task):
    code = UNET.replace("UNet", "Net").replace("import torch\n", "import torch\nfrom PIL import Image\n", 1)
    files = {"runs/train_edm.py": code, "runs/README.md": "# How to start\n", "README.md": f"# {title}\n"}
    assert read(files, "python runs/train_edm.py").task == task


@pytest.mark.parametrize(("name", "task"), [("UNet", "other"), ("ResNet", "CV")])
def test_what_cuts_pictures_works_on_what_the_readme_speaks_of(read, name, task):
    code = UNET.replace("UNet", name) + "\nloss = nn.CrossEntropyLoss()\n"
    files = {"runs/go.py": code, "runs/README.md": "# Notes\n", "README.md": "# Dunes\nAerosol fields over a year\n"}
    assert read(files, "python runs/go.py").task == task


@pytest.mark.parametrize(("weights", "task"), [("facebook/wav2vec2-base", "audio"), ("bert-base-uncased", "NLP")])
def test_a_head_for_sequences_sorts_what_the_model_hears_or_reads(read, weights, task):
    code = BARE.format(loader="AutoModelForSequenceClassification").replace("bert-base-cased", weights)
    assert read({"go.py": code}, "python go.py").task == task


@pytest.mark.parametrize(
    ("name", "task"), [("PanguLite", "other"), ("PanguAlpha", "NLP"), ("PanguThing", None), ("BuffNetHead", None)]
)
def test_a_name_of_several_models_is_told_by_the_whole_of_it(read, name, task):
    assert read({"go.py": UNET.replace("UNet", name)}, "python go.py").task == task
