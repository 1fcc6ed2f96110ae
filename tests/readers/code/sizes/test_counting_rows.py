"""Parameters of rows and blocks that loops, functions and conditions make: each number is worked out by hand."""

import pytest

RESIDUAL = """
class Block(nn.Module):
    widening = 2

    def __init__(self, taken, given, stride=1):
        super().__init__()
        self.first = nn.Conv2d(taken, given, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(given)
        self.second = nn.Conv2d(given, given * self.widening, 1)
        self.short = nn.Identity() if taken == given * self.widening else nn.Conv2d(taken, given * self.widening, 1)

    def forward(self, x):
        return self.second(self.norm(self.first(x))) + self.short(x)


class Tower(nn.Module):
    def __init__(self, depths, classes=10):
        super(Tower, self).__init__()
        self.width = 8
        self.stem = nn.Conv2d(3, 8, 3)
        self.stages = nn.ModuleList()
        for stage, depth in enumerate(depths):
            self.stages.append(self.make_stage(Block, 8 * 2 ** stage, depth))
        self.head = nn.Linear(self.width, classes)
        for part in self.modules():
            if isinstance(part, nn.Conv2d):
                nn.init.kaiming_normal_(part.weight)

    def make_stage(self, block, width, depth):
        layers = [block(self.width, width, 2)]
        self.width = width * block.widening
        for _ in range(1, depth):
            layers.append(block(self.width, width))
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
        return self.head(x.mean((2, 3)))
"""
STEM = 8 * 27 + 8
FIRST = (8 * 8 * 9) + 16 + (8 * 16 + 16) + (8 * 16 + 16)
SECOND = (16 * 8 * 9) + 16 + (8 * 16 + 16)
WIDER = (16 * 16 * 9) + 32 + (16 * 32 + 32) + (16 * 32 + 32)


def test_stages_are_counted_as_loops_and_conditions_build_them(counted):
    total = STEM + FIRST + 4 * SECOND + WIDER + (32 * 10 + 10)
    assert counted(RESIDUAL + "net = Tower([5, 1])") == total


def test_the_command_tells_how_deep_a_network_is(counted):
    code = RESIDUAL + "import sys\nnet = Tower([int(sys.argv[1])], classes=2)"
    assert counted(code, "3") == STEM + FIRST + 2 * SECOND + (16 * 2 + 2)
    assert counted(RESIDUAL + "net = Tower([int(open('depth').read())])") is None


def test_a_deep_row_of_costly_blocks_is_counted_to_its_end(counted):
    layers = "\n".join(f"        self.part{place} = nn.Linear(width, width)" for place in range(60))
    code = f"""
class Costly(nn.Module):
    def __init__(self, width, drop, layer_idx):
        super().__init__()
{layers}
        self.total = sum([place * 2 for place in range(500)])

    def forward(self, x):
        return self.part0(x)

class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        rates = [0.1 * place for place in range(depth)]
        self.blocks = nn.ModuleList([Costly(4, rates[place], layer_idx=place) for place in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

net = Deep(24)
"""
    assert counted(code) == 24 * 60 * 20


MAKING = {
    "list": "rows = []\n        for i in range({n}):\n            rows += [nn.Linear(8, 8), nn.ReLU()]",
    "append": "rows = nn.ModuleList()\n        for i in range({n}):\n            rows.append(nn.Linear(8, 8))",
    "while": "rows, i = [], 0\n        while i < {n}:\n            rows.append(nn.Linear(8, 8))\n            i += 1",
    "recursion": "rows = [deeper({n} - 1)]",
}


@pytest.mark.parametrize("making", MAKING)
@pytest.mark.parametrize("rounds", [3, 40, 300])
def test_a_loop_of_which_not_every_round_was_seen_leaves_the_count_open(counted, making, rounds):
    code = f"""
def deeper(n):
    return nn.Sequential(nn.Linear(8, 8), deeper(n - 1)) if n else nn.Linear(8, 8)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {MAKING[making].format(n=rounds)}
        self.rows = nn.Sequential(*rows)

    def forward(self, x):
        return self.rows(x)

net = Net()
"""
    assert counted(code) in {72 * rounds, None}


def test_a_network_for_each_fold_is_counted_once(counted):
    code = """
for fold in range(10):
    net = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 2))
"""
    assert counted(code) == 36 + 10


def test_a_network_that_may_hold_itself_is_left_open(counted):
    code = """
class Net(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.other = self if other else nn.Linear(4, 4)

    def forward(self, x):
        return self.other(self.body(x))

net = Net(input())
"""
    assert counted(code) is None


def test_a_loop_that_only_works_out_a_width_is_followed_to_its_end(counted):
    code = """
def left(side, layers):
    for _ in range(layers):
        side = (side - 3 + 2) // 2 + 1
    return side

net = nn.Sequential(nn.Linear(left(80, 6), 4), nn.ReLU())
"""
    assert counted(code) == (2 + 1) * 4


PUT_IN_ROWS = """
def sequential(*given):
    modules = []
    for module in given:
        if isinstance(module, nn.Sequential):
            for submodule in module.children():
                modules.append(submodule)
        elif isinstance(module, nn.Module):
            modules.append(module)
    return nn.Sequential(*modules)

def block(wide):
    layers = []
    for kind in "CBR":
        if kind == "C":
            layers.append(nn.Conv2d(wide, wide, 3))
        elif kind == "B":
            layers.append(nn.BatchNorm2d(wide))
        elif kind == "R":
            layers.append(nn.ReLU())
    return {made}

rows = [block(4) for _ in range({rounds})]
net = {net}
"""


@pytest.mark.parametrize("rounds", [3, 15, 40])
def test_parts_of_layers_that_are_made_alike_are_each_their_own(counted, rounds):
    code = PUT_IN_ROWS.replace("{rounds}", str(rounds))
    taken = code.replace("{made}", "sequential(*layers)").replace("{net}", "sequential(nn.Conv2d(4, 4, 1), *rows)")
    listed = code.replace("{made}", "layers").replace(
        "{net}", "nn.Sequential(*[layer for row in rows for layer in row])"
    )
    assert counted(taken) == 20 + rounds * (148 + 8)
    assert counted(listed) == rounds * (148 + 8)


def test_rows_are_made_by_functions_of_any_kind_of_rows(counted):
    code = """
class Grown(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = self.pyramidal_make_layer(12)

    def pyramidal_make_layer(self, depth):
        layers = [nn.Linear(4, 4)]
        for place in range(1, depth):
            layers.append(nn.Linear(4, 4))
        return nn.Sequential(*layers)

    def forward(self, x):
        return self.rows(x)

net = Grown()
"""
    assert counted(code) == 12 * 20


@pytest.mark.parametrize(("chosen", "total"), [("plain if told.way else other", 72), ("told.way", None)])
def test_one_of_several_functions_holds_nothing(counted, chosen, total):
    code = f"""
import pickle
told = pickle.load(open("told.pkl", "rb"))
def plain(x): return x
def other(x): return -x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.row = nn.Linear(8, 8)
        self.ends = {chosen}

    def forward(self, x):
        return self.ends(self.row(x))

net = Net()
"""
    assert counted(code) == total


def test_rows_of_rows_are_followed_below_an_objects_making(counted):
    code = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = self._put_together(5)

    def _put_together(self, depth):
        rows = []
        for place in range(depth):
            row = []
            for other in range(4):
                row.append(nn.Linear(8, 8))
            if place == 0:
                row.append(nn.Linear(8, 8))
            rows.append(nn.ModuleList(row))
        return nn.ModuleList(rows)

    def forward(self, x):
        return self.rows[0][0](x)

net = Net()
"""
    assert counted(code) == 21 * 72


@pytest.mark.parametrize(
    ("names", "more", "gone", "total"),
    [
        ('["a", "b", "c"]', "nn.Linear(8, 8)", "pass", 3 * 72 + 9),
        ('["a", "b", "c"]', "nn.Linear(8, 8)", "del self.end", 3 * 72),
        ('["a", "b", "c"]', "unheard[name](8)", "pass", None),
        ("unheard.names", "nn.Linear(8, 8)", "pass", None),
    ],
)
def test_a_row_that_is_added_to_in_place_grows_and_a_part_that_is_deleted_is_gone(counted, names, more, gone, total):
    code = f"""
import unheard
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.ModuleList()
        for name in {names}:
            self.rows += [{more}]
        self.end = nn.Linear(8, 1)
        {gone}

    def forward(self, x):
        for row in self.rows:
            x = row(x)
        return self.end(x)

net = Net()
"""
    assert counted(code) == total


OUT_OF_REACH = """
from torch import nn
from elsewhere import Loop

class Reef({base}):
    def __init__(self):
        super().__init__({given})

reef = Reef()
Loop().train(lambda x: reef(x))
"""


@pytest.mark.parametrize(
    ("base", "given", "name"), [("nn.Sequential", "nn.Linear(4, 5), nn.Linear(5, 2)", "Reef"), ("nn.Module", "", None)]
)
def test_a_class_that_is_a_row_of_layers_is_not_empty(read, base, given, name):
    code = OUT_OF_REACH.format(base=base, given=given)
    assert read({"train.py": code}, "python train.py").model_name == name
