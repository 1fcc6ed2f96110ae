"""Read one launcher's options: which take a value, which are flags, and where the program begins."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP


def test_kaldis_runner_starts_what_stands_behind_its_log(read):
    files = {"train.py": TORCH_HEAD + TORCH_LOOP + "\ntrain(0.25, 8, 2)\n"}
    script = 'cuda_cmd="utils/run.pl --mem 4G"\n${cuda_cmd} --gpu 1 exp/train.log python train.py\n'
    job = read({**files, "run.sh": script}, "bash run.sh")
    assert (job.is_training, job.learning_rate, job.batch_size) == (True, 0.25, 8)
    parts = read({**files, "run.sh": "queue.pl JOB=1:4 log.JOB.txt python train.py\n"}, "bash run.sh")
    assert (parts.is_training, parts.learning_rate) == (True, 0.25)
