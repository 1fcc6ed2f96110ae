"""Texts with values put into them: within bounds, and with what is known of them where a part is open."""

import pytest

from schedmate.readers.code.python.builtins.formatting import (
    are_plain_fields,
    format_open,
    format_percent,
    gapped,
    shown,
)
from schedmate.readers.code.values.value import Value, unknown
from tests.readers.code.programs import WITH_OPTIONS


def test_an_open_part_is_marked():
    text = format_percent(Value("train %s for %03d steps"), Value((Value("now"), unknown("a number"))))
    assert shown(text) == "train now for ${open} steps"
    assert shown(gapped("a" + shown(unknown("x")))) == "a${open}"


def test_known_values_give_a_known_text():
    assert format_percent(Value("%s-%02d"), Value((Value("a"), Value(3)))).data == "a-03"


@pytest.mark.parametrize("template", ["{0.__class__}", "{a[b]}", "{:99999d}", "{:{}}", "{"])
def test_templates_that_reach_further_are_not_followed(template):
    assert not are_plain_fields(template)


@pytest.mark.parametrize("template", ["{}/{}_{}.txt", "{name}.pt", "{:.2f}", "{:03d}", "no field."])
def test_plain_templates(template):
    assert are_plain_fields(template)


def test_join_and_format_keep_the_known_parts():
    parts = Value([Value("a"), unknown("x"), Value("c")])
    joined = format_open(Value(" "), "join", [parts], {})
    made = format_open(Value("{}-{last}"), "format", [unknown("x")], {"last": Value(3)})
    assert joined is not None
    assert made is not None
    assert (shown(joined), shown(made)) == ("a ${open} c", "${open}-3")


def test_an_open_part_of_a_command_leaves_the_rest_known(read):
    files = {
        "train.py": WITH_OPTIONS,
        "start.py": """
            import os
            import subprocess
            from datetime import datetime

            now = datetime.now().strftime("%d")
            words = ["python train.py", "--tag", f"run-{now}", "--batch", "6"]
            subprocess.run(" ".join(words) + f" --lr {1e-3:.0e} --epochs " + "{}".format(4), shell=True)
            """,
    }
    found = read(files, "python start.py")
    assert (found.batch_size, found.learning_rate, found.epochs) == (6, 1e-3, 4)


SCRIPT = """
    WORKDIR="your_checkout_path"
    RATE=${2}
    python ${WORKDIR}/train.py --batch ${1} --lr ${RATE}e-5 --epochs ${3} --tag ${4}
    """


def test_a_script_that_a_program_starts_with_formatted_arguments(read):
    files = {
        "train.py": WITH_OPTIONS,
        "sh/one.sh": SCRIPT,
        "sh/start.py": """
            import os

            def command(batch, rate, epochs, name):
                return 'bash one.sh %d %d %d %s' % (batch, rate, epochs, name)

            os.system(command(48, 5, 15, '{}/{}_{:03d}.txt'.format('results', 'a', 7)))
            """,
    }
    found = read(files, "python start.py", "sh")
    assert (found.is_training, found.batch_size, found.learning_rate, found.epochs) == (True, 48, 5e-5, 15)
    assert found.optimizer == "AdamW"
