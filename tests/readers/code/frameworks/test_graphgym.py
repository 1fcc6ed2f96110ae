"""GraphGym of PyTorch Geometric: one configuration, registries that a repository fills, and what is made of both."""

LISTED = """
    import glob
    from os.path import basename, dirname, isfile, join

    modules = glob.glob(join(dirname(__file__), "*.py"))
    __all__ = [basename(f)[:-3] for f in modules if isfile(f) and not f.endswith("__init__.py")]
    """
FILES = {
    "main.py": """
        import torch
        import mygraphs  # registers what is the repository's own
        from torch_geometric.graphgym.cmd_args import parse_args
        from torch_geometric.graphgym.config import cfg, load_cfg, set_cfg
        from torch_geometric.graphgym.loader import create_loader
        from torch_geometric.graphgym.model_builder import create_model
        from torch_geometric.graphgym.optim import create_optimizer
        from torch_geometric.graphgym.register import train_dict
        from torch_geometric.graphgym.train import GraphGymDataModule, train
        from torch_geometric.graphgym.utils.device import auto_select_device

        if __name__ == "__main__":
            args = parse_args()
            set_cfg(cfg)
            load_cfg(cfg, args)
            for repeat in zip(*[range(args.repeat)]):
                auto_select_device()
                loaders = create_loader()
                model = create_model()
                optimizer = create_optimizer(model.parameters(), cfg.optim)
                if cfg.train.mode == "standard":
                    train(model, GraphGymDataModule(), logger=True)
                else:
                    train_dict[cfg.train.mode](loaders, model, optimizer)
        """,
    "mygraphs/__init__.py": "from .network import *\nfrom .optimizer import *\nfrom .train import *\n",
    "mygraphs/network/far.py": """
        import torch
        from torch_geometric.graphgym.register import register_network
        from torch_geometric.nn import GINEConv

        @register_network("FarReachingGNN")
        class FarReachingGNN(torch.nn.Module):
            def __init__(self, dim_in, dim_out):
                super().__init__()
                self.first = GINEConv(torch.nn.Linear(8, 8))
        """,
    "mygraphs/optimizer/more.py": """
        import torch_geometric.graphgym.register as register
        from torch.optim import Adamax

        @register.register_optimizer("smooth")
        def smooth(params, base_lr: float, weight_decay: float):
            return Adamax(params, lr=base_lr, weight_decay=weight_decay)
        """,
    "mygraphs/train/longer.py": """
        from torch_geometric.graphgym.config import cfg
        from torch_geometric.graphgym.register import register_train

        def once(loader, model, optimizer):
            for batch in loader:
                loss = model(batch).sum()
                loss.backward()
                optimizer.step()

        @register_train("longer")
        def longer(loaders, model, optimizer):
            for cur_epoch in range(0, cfg.optim.max_epoch):
                once(loaders[0], model, optimizer)
        """,
    "configs/far.yaml": """
        dataset:
          format: PyG-ZINC
          name: subset
        train:
          mode: longer
          batch_size: 24
        model:
          type: FarReachingGNN
        optim:
          optimizer: smooth
          base_lr: 0.004
          max_epoch: 600
        """,
    "configs/plain.yaml": "dataset:\n  name: CiteSeer\nmodel:\n  type: gnn\noptim:\n  optimizer: sgd\n",
}
FILES |= {f"mygraphs/{part}/__init__.py": LISTED for part in ("network", "optimizer", "train")}


def test_what_packages_register_is_found_by_the_names_in_the_configuration(read):
    found = read(FILES, "python main.py --cfg configs/far.yaml --repeat 1")
    assert (found.is_training, found.epochs, found.total_steps, found.batch_size) == (True, 600, None, 24)
    assert (found.optimizer, found.learning_rate, found.num_gpus) == ("Adamax", 0.004, 1)
    assert (found.model_name, found.model_type, found.dataset_name) == ("FarReachingGNN", "gnn", "ZINC")


def test_words_behind_the_options_win_over_the_file(read):
    found = read(FILES, "python main.py --cfg configs/far.yaml optim.max_epoch 5 train.batch_size 96")
    assert (found.epochs, found.batch_size) == (5, 96)


def test_what_a_file_does_not_say_is_the_librarys(read):
    found = read(FILES, "python main.py --cfg configs/plain.yaml")
    assert (found.is_training, found.epochs, found.batch_size, found.learning_rate) == (True, 200, 16, 0.01)
    assert (found.optimizer, found.dataset_name) == ("SGD", "CiteSeer")
