"""Define functions and follow their calls: bind the arguments, follow the body, merge what may be returned."""

DEEP = """
import torch
from torch import nn

class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.rows = nn.ModuleList()
        for wide in [{widths}]:
            for place in [{widths}]:
                left = (wide + place - 4) * 2 // 2 + 0 * (wide - place) + (place - wide) // 3
                self.rows.append(nn.Linear(left, 4))
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return x

def main():
    net = Deep()
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in torch.utils.data.DataLoader([], batch_size=8):
        nn.functional.cross_entropy(net(x), y).backward()
        sgd.step()

main()
"""


def test_a_network_that_is_too_deep_leaves_only_its_size_open(read):
    short = read({"main.py": DEEP.format(widths="4, " * 5)}, "python main.py")
    assert (short.precision, short.batch_size, short.param_size) == ("fp32", 8, str(20 + 25 * 20 + 10))
    deep = read({"main.py": DEEP.format(widths="4, " * 64)}, "python main.py")
    assert (deep.precision, deep.batch_size, deep.param_size) == ("fp32", 8, None)


def test_what_comes_after_a_function_that_takes_all_it_may_is_followed(read):
    lines = "".join(
        f"    def f{n}(a):\n        return [a + b for b in range(40)]\n    t += len(f{n}({n}))\n" for n in range(3000)
    )
    parts = "".join(f"        self.l{n} = nn.Linear(w + {n}, w + 9)\n" for n in range(20))
    code = f"import torch\nfrom torch import nn\ndef long():\n    t = 0\n{lines}    return t\n"
    code += f"class Part(nn.Module):\n    def __init__(self, w):\n        super().__init__()\n{parts}"
    code += "def main():\n    long()\n    net = nn.ModuleList([Part(n) for n in range(24)])\n"
    code += "    sgd = torch.optim.SGD(net.parameters(), lr=0.3)\n    net(1).sum().backward()\n    sgd.step()\nmain()\n"
    assert read({"main.py": code}, "python main.py").learning_rate == 0.3


def test_what_is_handed_the_work_is_followed(outcome):
    code = "def log(work, path):\n    work()\ndef profile(work, rows):\n    return work(rows)\n"
    code += "def main():\n    global x\n    x = profile(train, 8)\n"
    code += "def train(rows):\n    return rows\nlog(main, 'out.txt')\n"
    assert outcome(code) == 8


def test_nothing_is_said_of_a_program_that_would_break_off(read):
    files = {
        "start.py": """
            import torch
            from kit import learner

            model = torch.load("weights")
            with torch.no_grad():
                model.eval()
            learner("its name")
            """,
        "kit.py": """
            def learner(name):
                if name == "another name":
                    return None
                raise ValueError(name)
            """,
    }
    assert read(files, "python start.py").is_training is None


def test_wrappers_of_one_decorator_may_call_each_other(read):
    program = """
import torch

def timed(function):
    def wrapper(*args):
        return function(*args), 0
    return wrapper

net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5)

@timed
def step():
    net(torch.ones(1, 2)).sum().backward()
    opt.step()

@timed
def epoch():
    step()

@timed
def work():
    epoch()

timed(work)()
"""
    job = read({"main.py": program}, "python main.py")
    assert (job.is_training, job.learning_rate) == (True, 0.5)


def test_a_closure_that_calls_itself_ends(read):
    program = "def make(n):\n    def again(m):\n        return make(m)(m + 1)\n    return again\nmake(0)(1)\n"
    assert read({"main.py": program}, "python main.py").is_training is not True
