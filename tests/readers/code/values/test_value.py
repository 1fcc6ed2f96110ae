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


def test_why_a_value_is_not_known_is_for_people_and_its_reason_for_code():
    from schedmate.readers.code.values.reasons import Reason
    from schedmate.readers.code.values.value import Value, is_unknown_by, unknown

    typed = unknown(Reason.TYPED)
    assert typed.data.why == "what a person types"
    assert is_unknown_by(typed, Reason.TYPED)
    assert not is_unknown_by(unknown(typed.data.why), Reason.TYPED)
    number = unknown("int() of what is not known", reason=Reason.NUMBER)
    assert number.data.why == "int() of what is not known"
    assert is_unknown_by(number, Reason.NUMBER)
    assert not is_unknown_by(Value("what a person types"), Reason.TYPED)
    assert not is_unknown_by(None, Reason.TYPED)
