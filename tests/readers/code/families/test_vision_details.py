"""What programs of computer vision say in their own way: rates, rounds, devices, names of classes and of data."""

THREADS = """
import argparse
import torch

class SwapModel:
    def __init__(self, opt):
        self.net_g = Translator()
        self.net_g = torch.nn.DataParallel(self.net_g.cuda(), opt.gpu_ids)
        self.optimizer = torch.optim.Adam(self.net_g.parameters(), lr=opt.lr)

class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="swap")
parser.add_argument("--dataroot", required=True)
parser.add_argument("--dataset_name", default="unaligned", help="how pictures are paired")
parser.add_argument("--gpu_ids", default="0")
parser.add_argument("--lr", type=float, default=0.1)
opt = parser.parse_args()
ids = opt.gpu_ids.split(",")
opt.gpu_ids = []
for one in ids:
    if int(one) >= 0:
        opt.gpu_ids.append(int(one))
model = SwapModel(opt)
for epoch in range(5):
    for data in torch.utils.data.DataLoader([], batch_size=4):
        model.net_g(data).sum().backward()
        model.optimizer.step()
"""


def test_threads_over_told_devices_count_them_and_one_device_is_no_spreading(read):
    one = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog")
    assert (one.num_gpus, one.distributed, one.batch_size, one.global_batch_size) == (1, "none", 4, 4)
    two = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog --gpu_ids 0,1")
    assert (two.num_gpus, two.distributed, two.batch_size, two.global_batch_size) == (2, "DataParallel", 2, 4)
