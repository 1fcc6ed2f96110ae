"""What is learned: the task and, more exactly, what of it."""

import pytest

from tests.readers.code.networks import CONV_NET, KERAS_CNN, NET_AND_OPTION, UNET, named_net, with_training
from tests.readers.code.programs import FIT_STEPS


def test_a_net_of_many_uses_learns_what_the_folder_of_the_program_says(read):
    assert read({"go.py": UNET}, "python go.py").task_fine is None
    job = read({"pinnslab/go.py": UNET}, "python pinnslab/go.py")
    assert (job.task, job.task_fine) == ("other", "solving differential equations (physics-informed)")


ANSWERS = """
from transformers import AutoModelForSeq2SeqLM, TrainingArguments
from trainer_of_answers import QuestionAnsweringSeq2SeqTrainer

model = AutoModelForSeq2SeqLM.from_pretrained("t5-small")
trainer = QuestionAnsweringSeq2SeqTrainer(model=model, args=TrainingArguments("out"))
trainer.train()
"""


def test_a_trainer_of_answers_tells_what_is_learned(read):
    assert read({"go.py": ANSWERS}, "python go.py").task_fine == "question answering"


def test_a_script_for_classes_in_a_folder_for_segments_tells_neither(read):
    assert (
        read({"segmentation/cls_net.py": UNET.replace("UNet", "Body")}, "python segmentation/cls_net.py").task is None
    )


def test_what_the_project_says_of_itself_goes_before_what_a_family_mostly_learns(read):
    readme = "# Reef tools\n\nSpeech to text of short commands.\n"
    files = {"src/go.py": UNET.replace("UNet", "ResNet") + "\nloss = nn.CrossEntropyLoss()\n", "README.md": readme}
    job = read(files, "python src/go.py")
    assert (job.task, job.task_fine) == ("audio", "speech recognition")
    probe = {"src/linear_probe.py": files["src/go.py"], "README.md": readme}
    assert read(probe, "python src/linear_probe.py").task_fine == "image classification"


def test_what_a_project_says_further_down_does_not_go_before_what_a_family_mostly_learns(read):
    readme = "# Reef tools\n\nTools for reefs.\n\nWritten by divers.\n\nFor all seas.\n\nSpeech to text of commands.\n"
    files = {"src/go.py": UNET.replace("UNet", "ResNet") + "\nloss = nn.CrossEntropyLoss()\n", "README.md": readme}
    assert read(files, "python src/go.py").task_fine == "image classification"


def test_a_trainer_of_the_repositorys_own_is_named_after_what_it_does(read):
    files = {
        "train.py": """
            import torch
            from transformers import AutoModelForCausalLM

            class PlainPPOTrainer:
                def __init__(self, model):
                    self.model = model
                    self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)

                def learn(self):
                    for step in range(5):
                        self.model(1).loss.backward()
                        self.optimizer.step()

            PlainPPOTrainer(AutoModelForCausalLM.from_pretrained("gpt2")).learn()
            """
    }
    assert read(files, "python train.py").task_fine == "reinforcement learning from human feedback (ppo)"


def test_a_script_named_after_a_method_learns_what_the_method_does(read):
    program = """
    import torch
    import torchvision

    model = torchvision.models.resnet50()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model(torch.randn(2, 3, 8, 8)).sum().backward()
        optimizer.step()
    """
    assert read({"main_simsiam.py": program}, "python main_simsiam.py").task_fine == "self-supervised pre-training"
    assert (
        read({"eval_simsiam_linear.py": program}, "python eval_simsiam_linear.py").task_fine == "image classification"
    )


def test_a_generator_is_told_by_the_project(read):
    unet = "import torch\nclass UNet(torch.nn.Module):\n    pass\n" + FIT_STEPS
    unet += "net = UNet()\nfit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    job = read({"train.py": unet, "README.md": "# Flow matching\n"}, "python train.py")
    assert job.task_fine == "generative modeling (flow matching)"


PARSER = """
import dataclasses, os, sys
from dataclasses import dataclass, field
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

class FileParser(HfArgumentParser):
    def parse_yaml_and_args(self, path, words):
        outputs = []
        words = {word.split("=")[0].strip("-"): word.split("=")[1] for word in words}
        for record, kind in zip(self.parse_yaml_file(os.path.abspath(path)), self.dataclass_types):
            keys = {f.name for f in dataclasses.fields(record) if f.init}
            inputs = {k: v for k, v in vars(record).items() if k in keys}
            inputs.update({k: v for k, v in words.items() if k in keys})
            outputs.append(kind(**inputs))
        return outputs
    def parse(self):
        return self.parse_yaml_and_args(os.path.abspath(sys.argv[1]), sys.argv[2:])

@dataclass
class Model:
    name_or_path: str = field(default=None)

model, training = FileParser((Model, TrainingArguments)).parse()
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained(model.name_or_path), args=training)
for iteration in range(1):
    trainer.train()
"""
FILE = "name_or_path: gpt2\nlearning_rate: 1.0e-5\nnum_train_epochs: 6\nper_device_train_batch_size: 4\n"
FILE += "gradient_accumulation_steps: 8\n"


def test_a_trainer_is_told_by_whole_words_of_its_name(read):
    own = PARSER.replace("trainer = Trainer(", "class XPPOTrainer(Trainer):\n    pass\n\ntrainer = XPPOTrainer(")
    assert "ppo" not in read({"train.py": own, "c.yml": FILE}, "python train.py c.yml").task_fine


CAPTIONED = """
import torch
from torch.utils.data import DataLoader, Dataset

class {cls}(Dataset):
    def __init__(self, name):
        self.name = name

    def __len__(self):
        return 10

    def __getitem__(self, place):
        return place

loader = DataLoader({cls}("data/coco/train"), batch_size=2)
net = torch.nn.Transformer(8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        net(batch, batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("cls", "fine"), [("CaptionDataset", "image captioning"), ("BoxDataset", "object detection")])
def test_pictures_with_captions_are_told_in_words(read, cls, fine):
    assert read({"go.py": CAPTIONED.format(cls=cls)}, "python go.py").task_fine == fine


WEIGHTS = "from_pretrained('acme/Llama-2-7b-hf')"


def test_a_trainer_of_preferences_outweighs_it_too(read):
    code = "from transformers import Trainer, AutoModelForCausalLM\nclass SimPOTrainer(Trainer):\n    pass\n"
    code += f"SimPOTrainer(model=AutoModelForCausalLM.{WEIGHTS}).train()\n"
    assert read({"run.py": code}, "python run.py").task_fine == "preference tuning (simpo)"


def test_folders_that_are_read_without_classes_are_sorted_by_none(read):
    masks = read({"main.py": KERAS_CNN.format(maker="unet", mode="None")}, "python main.py")
    sorted_ones = read({"main.py": KERAS_CNN.format(maker="unet", mode="'binary'")}, "python main.py")
    assert (masks.task_fine, sorted_ones.task_fine) == ("semantic segmentation", "image classification")


@pytest.mark.parametrize(
    ("title", "fine"),
    [
        ("# Deep learning on pictures for classification and segmentation", "image classification"),
        ("# Semantic segmentation of pictures", "semantic segmentation"),
        ("# Person_reID_baseline", "person re-identification"),
    ],
)
def test_a_title_of_two_ends_settles_none(read, title, fine):
    program = NET_AND_OPTION.replace("net = Net()", "import torchvision\nnet = torchvision.models.resnet18()")
    assert read({"main.py": program, "README.md": title}, "python main.py x").task_fine == fine


def test_the_script_says_what_is_learned(read):
    text = CONV_NET.format(name="BLIP") + "train(BLIP(), [1, 2])\n"
    found = read({"train_vqa.py": with_training(text)}, "python train_vqa.py")
    assert (found.task, found.task_fine) == ("multimodal", "visual question answering")


def test_a_title_says_what_is_learned_but_not_by_a_probe(read):
    files = {
        "README.md": "# TwinCut - contrastive learning of visual representations\n",
        "main.py": with_training(CONV_NET.format(name="ResNet") + "train(ResNet(), [1, 2])\n"),
        "main_linear.py": with_training(
            CONV_NET.format(name="ResNet") + "loss = nn.CrossEntropyLoss()\ntrain(ResNet(), [1, 2])\n"
        ),
    }
    assert read(files, "python main.py").task_fine == "self-supervised pre-training"
    assert read(files, "python main_linear.py").task_fine == "image classification"


@pytest.mark.parametrize(("data", "fine"), [("CocoCaptions", "image captioning"), ("VOCDetection", "object detection")])
def test_words_told_of_pictures_with_boxes_are_captions(read, data, fine):
    code = named_net(
        "WordDecoder",
        f"from torchvision.datasets import {data}",
        "torch.nn.LSTM(3, 4)",
        f"rows = {data}('x')",
    )
    job = read({"go.py": code}, "python go.py")
    assert job.task_fine == fine


@pytest.mark.parametrize(
    ("title", "fine"),
    [
        ("# river_image_captioning", "image captioning"),
        ("# 河流图像分类", "image classification"),
        ("# _my_ notes", None),
    ],
)
def test_titles_of_joined_words_or_other_languages_tell_the_task(read, title, fine):
    files = {"train.py": named_net(layer="torch.nn.Linear(3, 4)"), "README.md": f"{title}\n"}
    assert read(files, "python train.py").task_fine == fine


LOOP = (
    "net = {net}\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for batch in DataLoader(Words('x'), batch_size=4):\n    net(batch).sum().backward()\n    optimizer.step()\n"
)
DATA = (
    "import argparse, torch\nfrom torch.utils.data import DataLoader, Dataset\n"
    "class Words(Dataset):\n    def __init__(self, root):\n        self.rows = open(root).read().split()\n"
    "p = argparse.ArgumentParser()\np.add_argument('--train_data_dir')\n"
    "p.add_argument('--pretrained_model_name_or_path')\na = p.parse_args()\n"
)


def test_a_distillation_is_named_after_its_script(read):
    code = DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")
    assert read({"run_distillation.py": code}, "python run_distillation.py").task_fine == "knowledge distillation"


@pytest.mark.parametrize(("title", "fine"), [("protein backbone generation", "protein structure generation")])
def test_proteins_are_no_graphs(read, title, fine):
    code = DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")
    job = read({"train.py": code, "README.md": f"# folds: a model for {title}\n"}, "python train.py")
    assert (job.task, job.task_fine) == ("other", fine)


@pytest.mark.parametrize(
    ("imports", "fine"), [("mmdet", "object detection"), ("mmdet, mmseg", None), ("pybullet", "reinforcement learning")]
)
def test_libraries_of_several_tasks_tell_none_of_them(read, imports, fine):
    code = with_training(CONV_NET.format(name="BrookNet") + f"import {imports}\ntrain(BrookNet(), [1, 2])\n")
    assert read({"go.py": code}, "python go.py").task_fine == fine


EITHER = """
import torch, torchaudio
import torch.nn.functional as F

kind = pick()
net = torch.nn.LSTM(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in read():
    if kind == "ctc":
        loss = F.ctc_loss(net(x), y, 4, 4)
    else:
        loss = {other}
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("other", "fine"), [("F.ctc_loss(net(x), y, 2, 2)", "speech recognition"), ("F.cross_entropy(net(x), y)", None)]
)
def test_a_loss_that_aligns_tells_nothing_where_one_that_sorts_may_be_taken(read, other, fine):
    assert (read({"go.py": EITHER.format(other=other)}, "python go.py").task_fine == "speech recognition") == bool(fine)


def test_a_readme_that_speaks_of_others_games_names_no_world(read):
    code = "import gym\n" + with_training(CONV_NET.format(name="QNet") + "train(QNet(), [1, 2])\n")
    files = {"go.py": code, "README.md": "# Pond\n\nReinforcement learning as in the paper on Atari games.\n"}
    assert read(files, "python go.py").task_fine != "Atari games"


def test_a_network_of_graphs_whose_name_sounds_like_one_of_pictures_is_of_graphs(read):
    net = CONV_NET.format(name="GINConvNet").replace("nn.Conv2d(3, 8, 3)", "GINConv(4)")
    code = "from torch_geometric.nn import GINConv\n" + with_training(net + "train(GINConvNet(), [1, 2])\n")
    found = read({"go.py": code}, "python go.py")
    assert (found.model_type, found.task) == ("gnn", "graph")


DIGITS = """
    import torch
    import torchvision
    data = torchvision.datasets.MNIST("data", train=True)
    model = torch.nn.Linear(784, 10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for picture, label in data:
        wanted = {wanted}
        torch.nn.functional.mse_loss(model(picture), wanted).backward()
        optimizer.step()
    """


def test_labels_that_stand_for_classes_tell_the_usual_task_of_pictures(read):
    classes = DIGITS.format(wanted="torch.nn.functional.one_hot(label, 10)")
    assert read({"main.py": classes}, "python main.py").task_fine == "image classification"
    assert read({"main.py": DIGITS.format(wanted="picture")}, "python main.py").task_fine is None
