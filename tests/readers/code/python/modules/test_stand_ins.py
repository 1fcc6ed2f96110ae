"""Settings that authors keep to themselves: the template beside them is read, and a note says so."""

import pytest

LOOP = """
import yaml
import torch
from torch.utils.data import DataLoader
{head}
model = torch.nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr={lr})
for epoch in range({epochs}):
    for batch in DataLoader(torch.zeros(50, 6), batch_size={rows}):
        model(batch).sum().backward()
        optimizer.step()
"""
MODULE = LOOP.format(head="{}", lr="hive.RATE", epochs="hive.ROUNDS", rows="hive.ROWS")
FILE = LOOP.format(
    head="hive = yaml.safe_load(open('{}'))", lr="hive['RATE']", epochs="hive['ROUNDS']", rows="hive['ROWS']"
)
PYTHON, YAML = "RATE = 0.3\nROUNDS = 7\nROWS = 5\n", "RATE: 0.3\nROUNDS: 7\nROWS: 5\n"


@pytest.mark.parametrize(
    ("code", "template", "text"),
    [
        (MODULE.format("import settings.hive_config as hive"), "settings/hive_config_template.py", PYTHON),
        (MODULE.format("from settings import hive_config as hive"), "settings/hive_config.example.py", PYTHON),
        (FILE.format("hive.yaml"), "hive.example.yaml", YAML),
        (FILE.format("conf/hive.yaml"), "conf/hive.yaml.sample", YAML),
        (FILE.format("conf/hive.yaml.local"), "conf/hive.yaml", YAML),
    ],
)
def test_a_template_stands_in_for_settings_that_are_not_here(read, code, template, text):
    job = read({"train.py": code, "settings/__init__.py": "", template: text}, "python train.py")
    assert (job.learning_rate, job.epochs, job.batch_size) == (0.3, 7, 5)
    assert job.evidence["learning_rate"][0].path == template


@pytest.mark.parametrize("beside", ["bees_template.yaml", "hive_template.csv", "hive.yaml.old"])
def test_no_other_file_stands_in(read, beside):
    job = read({"train.py": FILE.format("hive.yaml"), beside: YAML}, "python train.py")
    assert (job.learning_rate, job.epochs, job.batch_size) == (None, None, None)


def test_settings_that_are_here_are_read_themselves(read):
    files = {"hive.yaml": YAML, "hive.example.yaml": YAML.replace("0.3", "0.9")}
    assert read({"train.py": FILE.format("hive.yaml"), **files}, "python train.py").learning_rate == 0.3


def test_of_two_templates_none_is_meant(read):
    files = {"hive.sample.yaml": YAML, "hive.example.yaml": YAML.replace("0.3", "0.9")}
    assert read({"train.py": FILE.format("hive.yaml"), **files}, "python train.py").learning_rate is None


@pytest.mark.parametrize("template", ["conf_template/hive.yaml", "conf_templates/hive_template.yaml"])
def test_a_file_that_is_kept_empty_is_to_be_copied_from_the_folder_of_templates(read, template):
    files = {"train.py": FILE.format("conf/hive.yaml"), "conf/hive.yaml": "", template: YAML}
    assert read(files, "python train.py").learning_rate == 0.3


def test_an_empty_file_without_a_template_stays_empty(read):
    files = {"train.py": FILE.format("conf/hive.yaml"), "conf/hive.yaml": "", "other_template/hive.yaml": YAML}
    assert read(files, "python train.py").learning_rate is None
