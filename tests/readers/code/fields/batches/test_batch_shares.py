"""Batches that are named after what one device sees, or worked out by how many there are."""

BY_DEVICES = """
    import argparse
    import torch
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--gpus", type=int, default=-1)
    args = parser.parse_args()
    gpus = args.gpus if args.gpus > 0 else torch.cuda.device_count()
    model = torch.nn.DataParallel(torch.nn.Linear(4, 2), device_ids=list(range(gpus)))
    loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=args.batch_size * gpus)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
    """


def test_a_batch_that_is_multiplied_by_the_devices_that_are_found_is_no_whole_one(read):
    assert read({"main.py": BY_DEVICES}, "python main.py").global_batch_size is None
    assert read({"main.py": BY_DEVICES}, "python main.py --gpus 2").global_batch_size == 16
