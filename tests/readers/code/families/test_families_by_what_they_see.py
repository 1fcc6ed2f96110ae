"""What a family mostly learns gives way to what the program shows: its data, its libraries, the names around it."""

import pytest

from schedmate.knowledge.datasets import known_dataset

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


NET = """
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


def test_a_net_of_many_uses_learns_what_the_folder_of_the_program_says(read):
    assert read({"go.py": NET}, "python go.py").task_fine == "semantic segmentation"
    job = read({"pinnslab/go.py": NET}, "python pinnslab/go.py")
    assert (job.task, job.task_fine) == ("other", "solving differential equations (physics-informed)")


def test_a_data_set_is_known_by_its_own_name_where_that_is_a_usual_word_elsewhere(read):
    code = NET.replace("UNet", "Body").replace(
        "net = Body()", "import argparse\nnet = Body()\nparser = argparse.ArgumentParser()"
    )
    code += "parser.add_argument('--data_dir')\nprint(parser.parse_args().data_dir)\n"
    assert read({"go.py": code}, "python go.py --data_dir data/trec6").task_fine == "text classification"


PICTURES = """
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

parser = argparse.ArgumentParser()
parser.add_argument("--data_dir")
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())
loader = DataLoader(ImageFolder(parser.parse_args().data_dir), batch_size=4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for pictures, classes in loader:
        nn.functional.cross_entropy(net(pictures), classes).backward()
        optimizer.step()
"""


@pytest.mark.parametrize("folder", ["Weather", "Traffic", "Flickr", "Spider"])
def test_a_folder_of_a_usual_word_is_no_known_data_set(read, folder):
    job = read({"go.py": PICTURES}, f"python go.py --data_dir rows/{folder}")
    assert (job.dataset_name, job.task_fine) == (folder, "image classification")


def test_a_class_for_emotions_is_not_the_set_of_that_name():
    assert known_dataset("EmotionDataset") is None
    assert known_dataset("dair-ai/emotion").name == "Emotion"


ANSWERS = """
from transformers import AutoModelForSeq2SeqLM, TrainingArguments
from trainer_of_answers import QuestionAnsweringSeq2SeqTrainer

model = AutoModelForSeq2SeqLM.from_pretrained("t5-small")
trainer = QuestionAnsweringSeq2SeqTrainer(model=model, args=TrainingArguments("out"))
trainer.train()
"""


def test_a_trainer_of_answers_tells_what_is_learned(read):
    assert read({"go.py": ANSWERS}, "python go.py").task_fine == "question answering"


def test_the_usual_task_of_a_backbone_is_not_told_of_data_of_many_uses(read):
    code = NET.replace("UNet", "ResNet").replace("net = ResNet()", "import argparse\nnet = ResNet()")
    code += "parser = argparse.ArgumentParser()\nparser.add_argument('--dataset')\nprint(parser.parse_args().dataset)\n"
    job = read({"go.py": code}, "python go.py --dataset kitti")
    assert (job.task, job.task_fine) == ("CV", None)
    assert read({"go.py": code}, "python go.py --dataset cifar10").task_fine == "image classification"


def test_a_name_that_says_a_task_wins_over_the_family_in_it(read):
    files = {"go.py": NET.replace("UNet", "Net"), "README.md": "# text-style-transfer\n"}
    job = read(files, "python go.py")
    assert (job.model_name, job.task, job.task_fine) == ("text-style-transfer", "NLP", "text style transfer")


def test_a_script_for_classes_in_a_folder_for_segments_tells_neither(read):
    assert read({"segmentation/cls_net.py": NET.replace("UNet", "Body")}, "python segmentation/cls_net.py").task is None


def test_a_plain_family_gives_way_to_the_layers_that_are_built(read):
    assert read({"go.py": NET.replace("UNet", "FeedForwardCNN")}, "python go.py").model_type == "cnn"


def test_what_the_project_says_of_itself_goes_before_what_a_family_mostly_learns(read):
    readme = "# Reef tools\n\nSpeech to text of short commands.\n"
    files = {"src/go.py": NET.replace("UNet", "ResNet") + "\nloss = nn.CrossEntropyLoss()\n", "README.md": readme}
    job = read(files, "python src/go.py")
    assert (job.task, job.task_fine) == ("audio", "speech recognition")
    probe = {"src/linear_probe.py": files["src/go.py"], "README.md": readme}
    assert read(probe, "python src/linear_probe.py").task_fine == "image classification"


def test_what_a_project_says_further_down_does_not_go_before_what_a_family_mostly_learns(read):
    readme = "# Reef tools\n\nTools for reefs.\n\nWritten by divers.\n\nFor all seas.\n\nSpeech to text of commands.\n"
    files = {"src/go.py": NET.replace("UNet", "ResNet") + "\nloss = nn.CrossEntropyLoss()\n", "README.md": readme}
    assert read(files, "python src/go.py").task_fine == "image classification"
