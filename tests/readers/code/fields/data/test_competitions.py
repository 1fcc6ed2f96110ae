"""The competition that a project was written for, where nothing nearer names the data."""

import pytest

from tests.readers.code.programs import FIT_MODEL

PROGRAM = FIT_MODEL + (
    "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--train_path', default='rows.csv')\n"
    "told = parser.parse_args()\nfit(nn.LSTM(2, 2), 0.1, 3, 4)\n"
)
LINK = "https://www.kaggle.com/c/river-level-forecast-2021"


@pytest.mark.parametrize(
    ("readme", "words", "name"),
    [
        (f"# River Level Forecast\n\nOur entry for {LINK}.", "", "river-level-forecast-2021"),
        (f"# RiverLevel: a forecast of the river's level\n\n[page]({LINK}/data)", "", "river-level-forecast-2021"),
        ("# River level\nSee https://www.kaggle.com/competitions/river-level", "", "river-level"),
        (f"# A tagger of sounds\n\nAs in {LINK}.", "", None),
        (f"# River\n\nAs in {LINK}.", "", None),
        (f"# River Level Forecast\n\n{LINK}-again and {LINK}", "", None),
        (f"# River Level Forecast\n\n{LINK}", "--train_path train.csv", None),
        ("# River Level Forecast\n\nhttps://www.kaggle.com/code/somebody/river-level-forecast", "", None),
    ],
)
def test_a_project_for_a_competition_trains_on_its_data(read, readme, words, name):
    job = read({"go.py": PROGRAM, "README.md": readme}, f"python go.py {words}")
    assert job.epochs == 3
    assert job.dataset_name == name


@pytest.mark.parametrize(
    ("readme", "words", "name"),
    [
        ("# Cassava leaves with a small network", "", "Cassava"),
        ("Tabular Playground\n=====\nA network for it.", "", "Tabular Playground Series"),
        ("# Cassava and SVHN", "", None),
        ("A page about Cassava without a title", "", None),
        ("# Cassava leaves", "--train_path train.csv", None),
    ],
)
def test_a_project_that_is_called_after_a_set_trains_on_it(read, readme, words, name):
    job = read({"go.py": PROGRAM, "README.md": readme}, f"python go.py {words}")
    assert job.dataset_name == name


def test_a_set_of_another_kind_in_a_title_is_not_what_the_model_reads(read):
    code = (
        "from transformers import BertModel\n"
        + FIT_MODEL
        + "fit(BertModel.from_pretrained('bert-base-uncased'), 0.1, 3, 4)\n"
    )
    assert read({"go.py": code, "README.md": "# Cassava"}, "python go.py").dataset_name is None
