"""Python's own functions, as far as programs use them to settle what they do."""

from tests.readers.code.programs import FIT_SETTINGS, FIT_TOLD, settings_of


def test_a_class_made_of_a_mapping_has_its_items(read):
    code = FIT_SETTINGS + (
        "import argparse, json\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--config')\nparser.add_argument('--epochs', type=int)\n"
        "parser.add_argument('--size', type=int)\ngiven = parser.parse_args().__dict__\n"
        "items = json.load(open(given['config'], 'rb'))\n"
        "for key, value in given.items():\n"
        "    if not key in items or not value is None:\n        items[key] = value\n"
        "args = type('Args', (object,), items)\n"
    )
    files = {"train.py": code + FIT_TOLD.format("args"), "c.json": '{"size": 7, "rate": 0.25, "epochs": 5}'}
    assert settings_of(read(files, "python train.py --config c.json --epochs 3")) == (7, 0.25, 3)


def test_nobody_types_into_a_batch_job(read):
    code = (
        FIT_SETTINGS
        + "fit(int(input('Size [8]: ') or '8'), float(input('Rate: ') or 0.5), int(input('Epochs: ') or 3))\n"
    )
    assert settings_of(read({"train.py": code}, "python train.py")) == (8, 0.5, 3)
