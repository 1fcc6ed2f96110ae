"""Programs whose training loop is a library's: what stands in their configuration, and what they do with it."""

DETECTOR = {
    "train_net.py": """
        from detectron2.config import get_cfg
        from detectron2.engine import DefaultTrainer, default_argument_parser, launch

        def main(args):
            cfg = get_cfg()
            cfg.merge_from_file(args.config_file)
            cfg.merge_from_list(args.opts)
            cfg.freeze()
            trainer = DefaultTrainer(cfg)
            trainer.resume_or_load(resume=args.resume)
            return trainer.train()

        if __name__ == "__main__":
            args = default_argument_parser().parse_args()
            launch(main, args.num_gpus, num_machines=args.num_machines, args=(args,))
        """,
    "configs/base.yaml": """
        MODEL:
          META_ARCHITECTURE: "GeneralizedRCNN"
        DATASETS:
          TRAIN: ("coco_2017_train",)
        SOLVER:
          IMS_PER_BATCH: 32
          BASE_LR: 4e-2
          MAX_ITER: 45000
        """,
    "configs/mask_rcnn_x.yaml": """
        _BASE_: "base.yaml"
        MODEL:
          MASK_ON: True
        """,
}


def test_detectron_reads_its_yaml_as_python(read):
    found = read(
        DETECTOR, "python train_net.py --num-gpus 4 --config-file configs/mask_rcnn_x.yaml SOLVER.MAX_ITER 9000"
    )
    assert (found.framework, found.distributed, found.num_gpus) == ("Detectron2, PyTorch", "DDP", 4)
    assert (found.dataset_name, found.task_fine) == ("COCO", "instance segmentation")
    assert (found.batch_size, found.global_batch_size, found.total_steps) == (8, 32, 9000)
    assert found.learning_rate == 0.04


def test_detectron_on_one_gpu_wraps_nothing(read):
    found = read(DETECTOR, "python train_net.py --config-file configs/base.yaml")
    assert (found.distributed, found.num_gpus, found.task_fine) == ("none", 1, "object detection")


def test_neox_puts_its_configurations_together(read):
    files = {
        "deepy.py": "from megatron.neox_arguments import NeoXArgs\n",
        "megatron/neox_arguments/__init__.py": "",
        "train.py": "",
        "configs/sizes/small.yml": """
            {
              "train_micro_batch_size_per_gpu": 6,
              "gradient_accumulation_steps": 2,
              "train_iters": 1200,
              "optimizer": {"type": "Adam", "params": {"lr": 0.0003}},
              "fp16": {"enabled": true},
            }
            """,
        "configs/here.yml": """
            data-path: data/enwik8/enwik8_text_document
            train_iters: 800
            """,
    }
    found = read(files, "python deepy.py train.py -d configs sizes/small.yml here.yml")
    assert (found.is_training, found.model_name, found.distributed) == (True, "GPT-NeoX", "DeepSpeed")
    assert (found.batch_size, found.global_batch_size, found.num_gpus) == (6, None, None)
    assert (found.total_steps, found.learning_rate, found.optimizer) == (800, 0.0003, "Adam")
    assert (found.precision, found.dataset_name) == ("fp16", "enwik8")


def test_a_recipe_of_torchtune_names_its_strategy(read):
    files = {"mine.yaml": "batch_size: 2\nmodel:\n  _component_: torchtune.models.llama3_1.llama3_1_8b\n"}
    found = read(files, "tune run --nproc_per_node 4 full_finetune_distributed --config mine.yaml")
    assert (found.distributed, found.num_gpus) == ("FSDP", 4)
    found = read(files, "tune run lora_finetune_single_device --config mine.yaml")
    assert (found.distributed, found.num_gpus) == ("none", 1)


def test_what_deepspeed_is_told_at_run_time_is_not_the_constant_that_it_replaces(read):
    files = {
        "train.py": """
            import deepspeed
            import torch

            GLOBAL_BATCH_SIZE = 48

            def settings():
                return {"train_batch_size": GLOBAL_BATCH_SIZE, "train_micro_batch_size_per_gpu": 4}

            model = torch.nn.Linear(4, 2)
            config = settings()
            config["train_batch_size"] = 4 * torch.distributed.get_world_size() * 2
            engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
            for x in torch.randn(8, 4):
                loss = engine(x).sum()
                engine.backward(loss)
                engine.step()
            """
    }
    found = read(files, "deepspeed train.py")
    assert (found.batch_size, found.global_batch_size) == (4, None)


def test_a_sampler_of_batches_tells_their_size(read):
    files = {
        "train.py": """
            import argparse
            import torch
            from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset

            class Mixed(BatchSampler):
                def __init__(self, *args, mix=True, **kwargs):
                    super().__init__(*args, **kwargs)
                    self.mix = mix

            parser = argparse.ArgumentParser()
            parser.add_argument("--batch-size", type=int, default=64)
            args = parser.parse_args()
            data = TensorDataset(torch.randn(100, 4))
            sampler = Mixed(sampler=RandomSampler(data), batch_size=args.batch_size // 4, drop_last=False)
            loader = DataLoader(data, batch_sampler=sampler)
            model = torch.nn.Linear(4, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for (x,) in loader:
                model(x).sum().backward()
                optimizer.step()
            """
    }
    assert read(files, "python train.py --batch-size 32").batch_size == 8
