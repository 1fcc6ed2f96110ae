"""Loops of scripts: those that only sort words are followed item by item, `break` and `continue` too."""

import pytest

TRAIN = """
import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--lr", type=float, default=0.5)
a = p.parse_args()
net = torch.nn.LSTM(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=a.lr)
for step in range(40):
    net(step).sum().backward()
    optimizer.step()
"""

SORTS = """
words=()
for word in "$@"; do
  if [[ "$word" == --device=* ]]; then
    export CUDA_VISIBLE_DEVICES="${word#*=}"
    continue
  fi
  words+=("$word")
done
python fit.py "${words[@]}"
"""
STOPS = """
for rate in 0.1 0.2 0.3; do
  if [ "$rate" = 0.2 ]; then
    break
  fi
done
python fit.py --lr $rate
"""
UNTIL = """
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    *) shift ;;
  esac
done
python fit.py "$@"
"""
STARTS = """
for rate in 0.1 0.2; do
  python fit.py --lr $rate
done
"""


@pytest.mark.parametrize(
    ("script", "words", "rate"),
    [
        (SORTS, "--device=3 --lr=0.25", 0.25),
        (STOPS, "", 0.2),
        (UNTIL, "--name a -- --lr 0.75", 0.75),
        (STARTS, "", None),
    ],
)
def test_loops_are_followed_as_far_as_they_start_nothing(read, script, words, rate):
    assert read({"fit.py": TRAIN, "go.sh": script}, f"bash go.sh {words}").learning_rate == rate


def test_a_script_that_starts_itself_for_each_stage_is_followed_into_them(read):
    script = """
        case $1 in
            all) bash stages.sh mix; bash stages.sh bake 0.3 ;;
            mix) python mix.py ;;
            bake) python train_bread.py --heat $2 ;;
        esac
        """
    code = """
        import argparse
        import torch
        parser = argparse.ArgumentParser()
        parser.add_argument("--heat", type=float)
        args = parser.parse_args()
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=args.heat)
        net(torch.zeros(1, 2)).sum().backward()
        optimizer.step()
        """
    files = {"stages.sh": script, "train_bread.py": code, "mix.py": "print(1)\n"}
    assert read(files, "bash stages.sh all").learning_rate == 0.3


def test_a_variable_that_stands_for_python_starts_a_module(read):
    code = """
        import torch
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.Adam(net.parameters(), lr=0.7)
        net(torch.zeros(1, 2)).sum().backward()
        optimizer.step()
        """
    files = {
        "bread/__init__.py": "",
        "bread/bake.py": code,
        "go.sh": 'PY="${BREAD_PY:-$SOME_PY}"\n"$PY" -u -m bread.bake\n',
    }
    assert read(files, "bash go.sh").learning_rate == 0.7
