"""Python's own functions that ask what something has or is: `getattr`, `hasattr`, `vars`, `super`, `type`."""

SETTINGS = """
import conf.values as settings

class Settings:
    def __init__(self, settings):
        for name in dir(settings):
            if name.isupper():
                setattr(self, name, getattr(settings, name))

settings = Settings(settings)
"""


def test_settings_are_copied_from_a_module_by_their_names(read):
    program = """
        import torch
        from conf import settings

        net = torch.nn.DataParallel(torch.nn.Conv2d(3, 3, 3)).cuda()
        optimizer = torch.optim.SGD(net.parameters(), lr=settings.RATE)
        for epoch in range(1, settings.ROUNDS + 1):
            for image in torch.utils.data.DataLoader([], batch_size=24):
                net(image).sum().backward()
                optimizer.step()
    """
    files = {"train.py": program, "conf/__init__.py": SETTINGS, "conf/values.py": "RATE = 0.25\nROUNDS = 60\n"}
    job = read(files, "python train.py")
    assert (job.learning_rate, job.epochs) == (0.25, 60)
    assert (job.num_gpus, job.distributed, job.global_batch_size) == (None, "DataParallel", 24)
