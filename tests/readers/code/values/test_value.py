"""What a name can stand for in followed code, and the places that it came from; the rest builds on this."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_large_settings_are_not_written_out_to_be_asked_for_a_word(read, monkeypatch):
    from schedmate.readers.code.values.value import Value

    main = FIT_BATCHES + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=0.1)\n"
        "args = p.parse_args()\nargs.net = torch.nn.Linear(3, 2)\nfit(args.lr, 3)\n"
    )
    monkeypatch.setattr(Value, "__repr__", lambda one: pytest.fail("a value was written out"))
    assert read({"main.py": main}, "python main.py").learning_rate == 0.1
