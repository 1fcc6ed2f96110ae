"""What a configuration is called, where that may be the name of a model."""

import pytest

from tests.readers.code.networks import CONV_NET, NET_AND_OPTION, with_training


@pytest.mark.parametrize(
    ("title", "name"), [("# SASRec", "SASRec"), ("# Our things", "bert"), ("# Training of models", "bert")]
)
def test_a_file_of_settings_names_its_model_less_than_the_title(read, title, name):
    files = {"main.py": NET_AND_OPTION, "README.md": title, "bert_config_ml-1m_64.json": "{}"}
    found = read(files, "python main.py bert_config_ml-1m_64.json")
    assert found.model_name == name
    assert found.param_size != "1M"


def test_the_size_in_a_name_of_settings_stays(read):
    found = read({"main.py": NET_AND_OPTION, "bert_config_7b.json": "{}"}, "python main.py bert_config_7b.json")
    assert (found.model_name, found.param_size) == ("bert_config_7b", "7B")


def test_a_configuration_names_size_and_family(read):
    files = {
        "train.py": with_training(
            "import sys, yaml\nconfig = yaml.safe_load(open(sys.argv[1]))\n"
            + CONV_NET.format(name="Model")
            + "train(Model(), [1, 2], config['batch_size'])\n"
        ),
        "configs/mpt-350m_chat.yaml": "batch_size: 8\n",
    }
    found = read(files, "python train.py configs/mpt-350m_chat.yaml")
    assert (found.model_name, found.param_size, found.batch_size) == ("mpt-350m", "350M", 8)


@pytest.mark.parametrize(("option", "name"), [("--data_path", None), ("--conf", "mpt-350m")])
def test_a_file_of_data_is_no_configuration(read, option, name):
    code = with_training(CONV_NET.format(name="Model") + "train(Model(), [1, 2], 8)\n")
    files = {"train.py": code, "seen/mpt-350m_chats.json": "[]"}
    assert read(files, f"python train.py {option} seen/mpt-350m_chats.json").model_name == name


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("pointnet_kitti", "pointnet"),
        ("model007-vgg16", "vgg16"),
        ("pointnet_marsh", "pointnet_marsh"),
        ("vgg16-cifar10", "vgg16"),
    ],
)
def test_neither_data_nor_a_number_belong_to_a_models_name(read, file, name):
    code = with_training(CONV_NET.format(name="Model") + "train(Model(), [1, 2], 8)\n")
    found = read({"train.py": code, f"conf/{file}.yaml": "lr: 1\n"}, f"python train.py --conf conf/{file}.yaml")
    assert found.model_name == name
