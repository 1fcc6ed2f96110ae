"""jsonargparse's options below each other, of classes and functions, from files and words."""

HEAD = """
from dataclasses import dataclass
from jsonargparse import ActionConfigFile, ArgumentParser
@dataclass
class Rate:
    start: float = 0.5
    end: float = 0.25
class Net:
    def __init__(self, width: int, depth: int = 2):
        self.size = width * depth
def data(rows: int = 4):
    pass
p = ArgumentParser()
p.add_argument("--config", action=ActionConfigFile)
"""
FILE = {"job.yaml": "net: {width: 3}\nrate: {end: 0.125}\nrun:\n  rounds: 6\n"}


def test_a_record_is_an_option_with_options_below(outcome):
    code = HEAD + "p.add_argument('--rate', type=Rate, default=Rate())\na = p.parse_args()\n"
    code += "x = [a.rate.start, a.rate.end]\n"
    assert outcome(code, "--config job.yaml --rate.start 0.75", FILE) == [0.75, 0.125]
    assert outcome(code, "", FILE) == [0.5, 0.25]


def test_classes_are_made_of_the_options_below_their_name(outcome):
    code = (
        HEAD
        + """
p.add_class_arguments(Net, "net")
p.add_function_arguments(data, "data")
p.add_argument("--run.rounds", type=int, default=1)
a = p.parse_args()
made = p.instantiate_classes(a)
x = [made.net.size, a.data.rows, a.run.rounds]
"""
    )
    assert outcome(code, "--config job.yaml --net.width 5 --data.rows=8", FILE) == [10, 8, 6]
    assert outcome(code.replace("p.parse_args()", "p.parse_path('job.yaml')"), "", FILE) == [6, 4, 6]
