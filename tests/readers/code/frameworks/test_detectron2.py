"""Detectron2: a trainer that builds optimizer, data and model from one configuration."""

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


DETECTRON = """
import torch
from detectron2.config import get_cfg
from detectron2.engine import DefaultTrainer, default_argument_parser, launch


class Trainer(DefaultTrainer):
    @classmethod
    def build_optimizer(cls, cfg, model):
        groups = [{"params": [value], "lr": cfg.SOLVER.BASE_LR} for value in model.parameters()]

        def clipped(optim):
            class ClippedOptimizer(optim):
                def step(self, closure=None):
                    super().step(closure=closure)

            return ClippedOptimizer

        return clipped(torch.optim.AdamW)(groups, cfg.SOLVER.BASE_LR)


def main(args):
    cfg = get_cfg()
    cfg.merge_from_file(args.config_file)
    cfg.merge_from_list(args.opts)
    if args.eval_only:
        return Trainer.test(cfg, Trainer.build_model(cfg))
    trainer = Trainer(cfg)
    return trainer.train()


args = default_argument_parser().parse_args()
launch(main, args.num_gpus, num_machines=args.num_machines, args=(args,))
"""
SHAPES = """
DATASETS:
  TRAIN: ("coco_2017_train",)
  TEST: ("coco_2017_val",)
SOLVER:
  IMS_PER_BATCH: 16
  BASE_LR: 0.0001
  MAX_ITER: 5000
"""


def test_an_optimizer_that_detectrons_trainer_builds_anew_wins(read):
    files = {"train_net.py": DETECTRON, "configs/maskformer_R50.yaml": SHAPES}
    job = read(files, "python train_net.py --num-gpus 4 --config-file configs/maskformer_R50.yaml")
    assert (job.optimizer, job.learning_rate, job.total_steps) == ("AdamW", 0.0001, 5000)
    assert (job.batch_size, job.global_batch_size, job.distributed) == (4, 16, "DDP")
    one = read(files, "python train_net.py --config-file configs/maskformer_R50.yaml SOLVER.IMS_PER_BATCH 2")
    assert (one.num_gpus, one.distributed, one.batch_size) == (1, "none", 2)
    files["train_net.py"] = DETECTRON.replace("def build_optimizer", "def build_another")
    job = read(files, "python train_net.py --num-gpus 4 --config-file configs/maskformer_R50.yaml")
    assert job.optimizer == "SGD"


def test_an_evaluation_by_detectron_has_a_model_and_test_data_but_no_solver(read):
    files = {"train_net.py": DETECTRON, "configs/maskformer_R50.yaml": SHAPES.replace("coco_2017_val", "ade20k_val")}
    job = read(files, "python train_net.py --eval-only --config-file configs/maskformer_R50.yaml")
    assert (job.is_training, job.model_name, job.dataset_name) == (False, "maskformer_R50", "ADE20K")
    assert (job.optimizer, job.total_steps, job.global_batch_size) == (None, None, None)


def test_a_configuration_that_is_not_here_names_the_model_only_by_a_known_family(read):
    files = {"train_net.py": DETECTRON, "configs/base.yaml": SHAPES}
    assert read(files, "python train_net.py --config-file your_config.yaml").model_name is None
    assert read(files, "python train_net.py --config-file zoo/mask_rcnn_R50.yaml").model_name == "mask_rcnn_R50"


def test_a_configuration_that_is_not_here_leaves_open_what_it_may_set(read):
    found = read(DETECTOR, "python train_net.py --config-file my/own.yaml SOLVER.MAX_ITER 9000")
    assert (found.framework, found.total_steps) == ("Detectron2, PyTorch", 9000)
    assert (found.batch_size, found.global_batch_size, found.learning_rate) == (None, None, None)


def test_who_takes_a_network_alone_from_detectron_trains_it_by_what_is_his_own(read):
    found = read(
        {
            "train.py": """
            import torch
            from detectron2.config import get_cfg
            from detectron2.modeling import build_backbone

            model = build_backbone(get_cfg())
            optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
            for step in range(400):
                model(torch.zeros(2, 3)).sum().backward()
                optimizer.step()
            """
        },
        "python train.py",
    )
    assert (found.optimizer, found.learning_rate) == ("AdamW", 3e-5)
    assert found.total_steps == 400


def test_a_configuration_that_holds_itself_ends(read):
    program = DETECTOR["train_net.py"].replace("cfg = get_cfg()", "cfg = get_cfg(); cfg.again = cfg")
    found = read(DETECTOR | {"train_net.py": program}, "python train_net.py --config-file my/own.yaml")
    assert (found.is_training, found.batch_size) == (True, None)
