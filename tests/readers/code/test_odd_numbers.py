"""Numbers that are none, or far too long, cost at most the count that they tell, never the whole answer."""

import pytest

PROGRAM = """
import sklearn.svm
sklearn.svm.SVC().fit([[1], [2]], [0, 1])
"""
LONG = "9" * 5000


@pytest.mark.parametrize(
    "script",
    [
        "for i in $(seq --5); do python fit.py --rank $i & done; python fit.py",
        "seq ²; for i in $(seq 1 ³); do python fit.py; done",
        "for rank in ² ³; do python fit.py --rank $rank & done",
        "N=--3; for ((i=0;i<N;i++)); do RANK=$i python fit.py & done; python fit.py",
        "if [ --5 -lt ² ]; then echo less; fi; python fit.py",
        "list=(a b); list[²]=c; list[--1]=d; echo ${list[²]} ${list[--1]}; python fit.py",
        f"list=(a b); list[{LONG}]=c; echo ${{{LONG}}} ${{list[{LONG}]}}; python fit.py",
        "shift ²; echo 4 | head -n ²; echo a | sed -n ²p; python fit.py",
        f"N=²; M={LONG}; echo $((N + 1)) $((M + 1)); python fit.py",
        "for i in 0 1; do WORLD_SIZE=² RANK=$i python fit.py & done",
        f"for i in 0 1; do WORLD_SIZE={LONG} RANK=$i python fit.py & done",
        f"#SBATCH --gres=gpu:{LONG}\nsrun python fit.py",
        f"#SBATCH --gres=gpu:a100:{LONG}\n#SBATCH -N 2\nsrun python fit.py",
        f"#SBATCH --gpus={LONG} --nodes=²\nsrun python fit.py",
        f"#SBATCH --nodes={LONG} --ntasks-per-node={LONG}\nsrun python fit.py",
        f"#SBATCH --ntasks={LONG} --ntasks-per-node=²\nsrun python fit.py",
        f"#PBS -l select={LONG}:ngpus={LONG}\npython fit.py",
        f"#BSUB -gpu num={LONG}\n#BSUB -nnodes {LONG}\npython fit.py",
        f"#SBATCH -N 2\n#SBATCH hetjob\n#SBATCH -N {LONG} --gres=gpu:²\nsrun python fit.py",
    ],
)
def test_a_script_with_odd_numbers_is_read(read, script):
    assert read({"fit.py": PROGRAM, "go.sh": f"{script}\n"}, "sbatch go.sh").framework == "scikit-learn"


@pytest.mark.parametrize(
    "command",
    [
        f"qsub -l select=1:ngpus={LONG} go.sh",
        f"bsub -gpu num={LONG} go.sh",
        f"sbatch --gres=gpu:{LONG} go.sh",
        "sbatch -N² --gpus=³ go.sh",
    ],
)
def test_a_request_of_odd_numbers_is_read(read, command):
    found = read({"fit.py": PROGRAM, "go.sh": "python fit.py\n"}, command)
    assert (found.framework, found.num_gpus) in [("scikit-learn", None), ("scikit-learn", 0)]


@pytest.mark.parametrize("slots", ["999999999", "99999999999999", "²", LONG])
def test_a_host_has_no_more_slots_than_can_be_counted_out(read, slots):
    files = {"fit.py": PROGRAM, "hosts": f"one slots={slots}\n"}
    assert read(files, "deepspeed --hostfile hosts fit.py").framework == "scikit-learn"


@pytest.mark.parametrize("word", ["1e400", "+inf", "-infinity", "-nan", "nan"])
def test_an_option_of_whole_numbers_is_told_no_number_without_end(read, word):
    told = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--epochs', type=int)\n"
    program = f"{told}args = parser.parse_args(){PROGRAM}"
    found = read({"fit.py": program}, f"python fit.py --epochs={word}")
    assert (found.framework, found.epochs) == ("scikit-learn", None)


def test_numbers_that_are_plain_still_count(read):
    files = {"fit.py": PROGRAM, "go.sh": "#SBATCH -N 2 --gres=gpu:a100:4\nsrun --ntasks-per-node=4 python fit.py\n"}
    assert (found := read(files, "sbatch go.sh")).num_nodes == 2
    assert found.framework == "scikit-learn"
