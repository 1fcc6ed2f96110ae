"""Devices, strategy and precision of an installed program's job."""

import pytest


@pytest.mark.parametrize(
    ("words", "gpus", "batches", "precision"),
    [
        ("detect train data=coco8.yaml model=yolo11n.pt epochs=50", 1, (16, 64), "fp16"),
        ("train data=coco.yaml model=yolo11n.pt batch=128 device=0,1,2,3 amp=False", 4, (32, 128), "fp32"),
        ("train data=coco.yaml model=yolo11n.pt batch=8 device=cpu", 0, (8, 64), "fp32"),
    ],
)
def test_yolos_own_command_shares_its_batch_and_accumulates_to_a_nominal_one(read, words, gpus, batches, precision):
    job = read({"README.md": "# Detection\n"}, f"yolo {words}")
    assert (job.num_gpus, job.precision) == (gpus, precision)
    assert (job.batch_size, job.global_batch_size) == batches
    assert job.distributed == ("DDP" if gpus > 1 else "none")


def test_yolos_own_command_says_its_task_and_nothing_of_training_where_it_only_validates(read):
    job = read({"README.md": "# Detection\n"}, "yolo segment train data=coco8-seg.yaml model=yolo11n-seg.pt")
    assert job.task_fine == "instance segmentation"
    looked = read({"README.md": "# Detection\n"}, "yolo segment val data=coco8-seg.yaml model=yolo11n-seg.pt")
    assert (looked.is_training, looked.global_batch_size, looked.precision) == (False, None, None)
