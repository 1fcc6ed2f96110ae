"""How programs of computer vision are put together: launchers of their own, classes found by name, resumed loops."""


def test_a_library_scaler_that_is_handed_the_optimizer_trains(read):
    program = """
        import torch
        from timm.models import create_model
        from timm.optim import create_optimizer
        from timm.utils import NativeScaler

        model = create_model("vit_small_patch16_224")
        optimizer = create_optimizer(args=None, model=model)
        scale = NativeScaler()
        loader = torch.utils.data.DataLoader([], batch_size=16)
        for epoch in range(9):
            for images, labels in loader:
                with torch.cuda.amp.autocast():
                    loss = torch.nn.functional.cross_entropy(model(images), labels)
                optimizer.zero_grad()
                scale(loss, optimizer, parameters=model.parameters())
    """
    job = read({"train.py": program}, "python train.py")
    assert (job.is_training, job.epochs, job.batch_size, job.precision) == (True, 9, 16, "fp16")
    looks = program.replace("scale(loss, optimizer, parameters=model.parameters())", "print(loss)")
    assert read({"train.py": looks.replace("optimizer.zero_grad()", "")}, "python train.py").is_training is not True
