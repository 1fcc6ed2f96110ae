"""Libraries that share each batch among all devices that they see."""

import pytest

RUNNER = """
import torch
from catalyst.dl import SupervisedRunner

net = torch.nn.Linear(4, 2).cuda()
loaders = {{"train": torch.utils.data.DataLoader(range(99), batch_size=8)}}
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
runner = SupervisedRunner({made})
runner.train(model=net, criterion=torch.nn.MSELoss(), optimizer=optimizer, loaders=loaders, num_epochs=4{told})
"""


@pytest.mark.parametrize(
    ("visible", "made", "told", "spread", "gpus"),
    [
        ("", "", "", None, None),
        ("CUDA_VISIBLE_DEVICES=0,1 ", "", "", "DataParallel", 2),
        ("CUDA_VISIBLE_DEVICES=0 ", "", "", "none", 1),
        ("", "device='cuda:0'", "", "none", 1),
        ("", "", ", device='cuda:0'", "none", 1),
    ],
)
def test_catalyst_takes_every_gpu_unless_it_is_told_one(read, visible, made, told, spread, gpus):
    job = read({"fit.py": RUNNER.format(made=made, told=told)}, f"{visible}python fit.py")
    assert (job.is_training, job.batch_size, job.epochs) == (True, 4 if gpus == 2 else 8, 4)
    assert (job.distributed, job.num_gpus) == (spread, gpus)


STATIC = """
import paddle
paddle.enable_static()
place = paddle.CUDAPlace(0)
loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 2))
paddle.optimizer.Adam(learning_rate=1e-3).minimize(loss)
main = paddle.static.default_main_program()
{shared}
runs = paddle.static.Executor(place)
for step in range(100):
    runs.run(main, feed={{}}, fetch_list=[loss])
"""


@pytest.mark.parametrize(
    ("shared", "spread", "gpus"),
    [
        ("", "none", 1),
        (
            "main = paddle.static.CompiledProgram(main).with_data_parallel(loss_name=loss.name)",
            "PaddlePaddle data parallel",
            None,
        ),
    ],
)
def test_paddles_compiled_program_runs_on_all_places(read, shared, spread, gpus):
    job = read({"fit.py": STATIC.format(shared=shared)}, "python fit.py")
    assert (job.distributed, job.num_gpus) == (spread, gpus)
