"""A shell that starts nothing: its variables, where it stands, how deep, and what it would have started."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


@pytest.mark.parametrize(
    "copying",
    [
        "cp -r tools lib $RUN/code && python $RUN/code/tools/train.py --lr 0.2",
        "cp -r . $RUN/code; python $RUN/code/tools/train.py --lr 0.2",
        "rsync -a tools/ $RUN/code; cd $RUN && python code/train.py --lr 0.2",
        "cp tools/train.py $RUN/job.py && python $RUN/job.py --lr 0.2",
    ],
)
def test_a_program_that_is_run_from_a_copy_is_read_where_it_comes_from(read, copying):
    code = FIT_BATCHES + "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float)\n"
    files = {"tools/train.py": code + "fit(p.parse_args().lr, 3)\n", "lib/a.py": ""}
    script = f"RUN=exp/$1\nmkdir -p $RUN/code\n{copying}\n"
    job = read({**files, "run.sh": script}, "bash run.sh first")
    assert (job.is_training, job.learning_rate) == (True, 0.2)


def test_a_file_of_the_repository_is_not_exchanged_for_a_copys_original(read):
    files = {"a/train.py": FIT_BATCHES + "fit(0.1, 3)\n", "b/train.py": FIT_BATCHES + "fit(0.2, 3)\n"}
    job = read({**files, "run.sh": "cp a/train.py b/train.py\npython b/train.py\n"}, "bash run.sh")
    assert job.learning_rate == 0.2
