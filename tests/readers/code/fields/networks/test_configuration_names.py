"""What a configuration is called, where that may be the name of a model."""

import pytest

from tests.readers.code.programs import NET_AND_OPTION


@pytest.mark.parametrize(
    ("title", "name"), [("# SASRec", "SASRec"), ("# Our things", "bert"), ("# Training of models", "bert")]
)
def test_a_file_of_settings_names_its_model_less_than_the_title(read, title, name):
    files = {"main.py": NET_AND_OPTION, "README.md": title, "bert_config_ml-1m_64.json": "{}"}
    found = read(files, "python main.py bert_config_ml-1m_64.json")
    assert found.model_name == name
    assert found.param_size != "1M"
