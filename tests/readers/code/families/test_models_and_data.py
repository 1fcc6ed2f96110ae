"""What a model is, what it learns and from which data: told by code, configuration, places and the project's words."""

import pytest

LOOP = """
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


def program(text):
    return "import torch\nfrom torch import nn\n" + LOOP.replace("\n    ", "\n") + "\n" + text


NET = """
class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
"""


def test_a_library_title_is_no_model_name(read):
    files = {
        "README.md": "# Ringmaster\n\nDistributed training for everybody.\n",
        "train.py": program(NET.format(name="Net") + "train(Net(), [1, 2])\n"),
    }
    assert read(files, "python train.py").model_name == "Net"


def test_losses_and_searchers_are_no_models(read):
    classes = NET.format(name="SoundNet") + NET.format(name="BeamSearcher") + NET.format(name="MaskedLoss")
    text = classes + "searcher = BeamSearcher()\nloss = MaskedLoss()\nmodel = SoundNet()\ntrain(model, [1, 2])\n"
    assert read({"train.py": program(text)}, "python train.py").model_name == "SoundNet"


def test_a_unet_alone_segments(read):
    found = read({"train.py": program(NET.format(name="UNet") + "train(UNet(), [1, 2])\n")}, "python train.py")
    assert (found.model_type, found.task_fine) == ("cnn", "semantic segmentation")


def test_training_data_are_not_those_of_the_validation(read):
    text = """
    import argparse
    from torchvision import datasets
    parser = argparse.ArgumentParser()
    parser.add_argument("--train-data")
    parser.add_argument("--imagenet-val")
    args = parser.parse_args()

    def zero_shot(path):
        return datasets.ImageFolder(path)

    zero_shot(args.imagenet_val)
    shards = open(args.train_data)
    """
    files = {"train.py": program(text.replace("\n    ", "\n") + NET.format(name="UNet") + "train(UNet(), [1, 2])\n")}
    found = read(files, "python train.py --train-data '/d/cc12m/{0..9}.tar' --imagenet-val /d/imagenet/validation")
    assert found.dataset_name == "CC12M"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/d/zebrafish_tracks.csv", "zebrafish_tracks"),
        ("/path/to/data", None),
        ("data/train", None),
        ("exp/dataset.de-en", None),
    ],
)
def test_a_path_names_unknown_data_only_where_it_says_something(read, path, name):
    text = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-path")
    args = parser.parse_args()
    data = open(args.data_path)
    """
    files = {"train.py": program(text.replace("\n    ", "\n") + NET.format(name="UNet") + "train(UNet(), data)\n")}
    assert read(files, f"python train.py --data-path {path}").dataset_name == name


def test_branches_that_disagree_name_no_data(read):
    text = """
    import os
    from torchvision import datasets
    kind = os.environ["KIND"]
    if kind == "a":
        data = datasets.CIFAR10("x")
    elif kind == "b":
        data = datasets.SVHN("x")
    """
    files = {"train.py": program(text.replace("\n    ", "\n") + NET.format(name="UNet") + "train(UNet(), data)\n")}
    assert read(files, "python train.py").dataset_name is None


def test_the_script_says_what_is_learned(read):
    text = NET.format(name="BLIP") + "train(BLIP(), [1, 2])\n"
    found = read({"train_vqa.py": program(text)}, "python train_vqa.py")
    assert (found.task, found.task_fine) == ("multimodal", "visual question answering")


def test_a_configuration_names_size_and_family(read):
    files = {
        "train.py": program(
            "import sys, yaml\nconfig = yaml.safe_load(open(sys.argv[1]))\n"
            + NET.format(name="Model")
            + "train(Model(), [1, 2], config['batch_size'])\n"
        ),
        "configs/mpt-350m_chat.yaml": "batch_size: 8\n",
    }
    found = read(files, "python train.py configs/mpt-350m_chat.yaml")
    assert (found.model_name, found.param_size, found.batch_size) == ("mpt-350m", "350M", 8)


def test_a_learned_policy_is_told_with_its_layers(read):
    text = """
    import gymnasium as gym

    class PPO(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.policy = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 2))

    env = gym.make("CartPole-v1")
    train(PPO(64), [1, 2])
    """
    found = read({"train.py": program(text.replace("\n    ", "\n"))}, "python train.py")
    assert (found.model_name, found.model_type) == ("PPO", "rl (mlp)")
    assert (found.task, found.task_fine, found.dataset_name) == ("RL", "classic control", "CartPole-v1")


def test_a_title_says_what_is_learned_but_not_by_a_probe(read):
    files = {
        "README.md": "# TwinCut - contrastive learning of visual representations\n",
        "main.py": program(NET.format(name="ResNet") + "train(ResNet(), [1, 2])\n"),
        "main_linear.py": program(
            NET.format(name="ResNet") + "loss = nn.CrossEntropyLoss()\ntrain(ResNet(), [1, 2])\n"
        ),
    }
    assert read(files, "python main.py").task_fine == "self-supervised pre-training"
    assert read(files, "python main_linear.py").task_fine == "image classification"


def test_the_configuration_names_algorithm_and_environment(read):
    text = """
    import dmc2gym
    import hydra

    @hydra.main(config_path=".", config_name="sac", version_base=None)
    def main(config):
        env = dmc2gym.make(config.env)
        train(Actor(), [1, 2])

    main()
    """
    files = {
        "train.py": program(NET.format(name="Actor") + text.replace("\n    ", "\n")),
        "sac.yaml": "env: walker_walk\nagent:\n  name: sac\n",
    }
    found = read(files, "python train.py")
    assert (found.model_name, found.model_type) == ("sac", "rl (cnn)")
    assert (found.dataset_name, found.task, found.task_fine) == ("walker_walk", "RL", "continuous control")
