"""Behind a launcher's word that the program ended, no list that a script writes tells of the program's life."""

import pytest

from schedmate import diagnose

PACKAGES = [f"package{letter}=={number}.4.1" for number, letter in enumerate("abcdefghijklmnopqrstuvwxyzabcdefghijkl")]
FIGURES = [f"2031/05/12 19:{minute:02}:08, GPU {minute % 8}, 4{minute * 5 % 9} C, 81.0 W, 0 %" for minute in range(40)]
STACK = [
    "Traceback (most recent call last):",
    '  File "/home/lea/fit.py", line 88, in load',
    "    model.load_state_dict(kept)",
    "RuntimeError: Error(s) in loading state_dict for Tower: size mismatch for head.weight: copying a param",
]
ELASTIC = [
    "Traceback (most recent call last):",
    '  File "/opt/env/bin/torchrun", line 8, in <module>',
    "    sys.exit(main())",
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
]
WORKER = [f"(RayTrainWorker pid=87, ip=10.2.0.4) {line}" for line in STACK]
DRIVER = [
    "2031-05-12 19:04:04,118\tERROR tune_controller.py:1331 -- Trial task failed for trial Fit_9c_00000",
    *STACK[:1],
    '  File "/opt/env/lib/python3.12/site-packages/ray/_private/worker.py", line 2623, in get',
    "    raise value.as_instanceof_cause()",
    "ray.exceptions.RayTaskError(RuntimeError): ray::_Fit.train() (pid=87, ip=10.2.0.4)",
    STACK[-1],
    "Training errored after 41 iterations at 2031-05-12 19:04:04. Total running time: 2hr 1min 4s",
]
KEEPING = [f"2031-05-12 19:{minute:02}:09,100\tINFO pool.py:81 -- {minute} nodes are idle" for minute in range(5, 30)]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("listed", [PACKAGES, FIGURES])
def test_what_a_script_lists_behind_torchruns_word_clears_nothing(tmp_path, listed):
    found = read(tmp_path, "fitting the tower", *STACK, *ELASTIC, *listed)
    assert (found.failure_id, found.root_line) == ("torch.state_dict_mismatch", 5)


def test_what_a_cluster_says_behind_rays_word_clears_nothing(tmp_path):
    steps = [f"(RayTrainWorker pid=11) step {step} loss 1.{500 - step}" for step in range(1, 42)]
    found = read(tmp_path, *steps, *KEEPING[:4], *WORKER, *DRIVER, *KEEPING)
    assert (found.failure_id, found.root_line) == ("torch.state_dict_mismatch", len(steps) + 4 + len(WORKER))


def test_steps_behind_rays_word_show_that_it_was_tried_again(tmp_path):
    def steps(first, last):
        return [f"(RayTrainWorker pid=11) step {step} loss 1.{500 - step}" for step in range(first, last)]

    found = read(tmp_path, *steps(1, 42), *WORKER, *DRIVER, *steps(42, 300), "Training completed after 299 iterations")
    assert found.category == "none"


def test_what_the_program_itself_says_behind_an_exception_clears_it(tmp_path):
    said = [f"INFO fit: the tower is fitted without part {part}" for part in "abcdefghijklmn"]
    assert read(tmp_path, "INFO fit: the tower is read", *STACK, *said).category == "none"
