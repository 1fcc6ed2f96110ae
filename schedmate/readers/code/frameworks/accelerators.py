"""Accelerate and DeepSpeed: wrappers that hand the same objects back."""

from schedmate.readers.code.frameworks.accelerate import accelerate_prepare, make_accelerator
from schedmate.readers.code.frameworks.deepspeed import add_engine_options, initialize_deepspeed
from schedmate.readers.code.values.run import Hook

HOOKS: dict[str, Hook] = {
    "deepspeed.initialize": initialize_deepspeed,
    "accelerate.Accelerator": make_accelerator,
    "deepspeed.add_config_arguments": add_engine_options,
}
ENDINGS: dict[str, Hook] = {
    "Accelerator.prepare": accelerate_prepare,
    "Accelerator.prepare_model": accelerate_prepare,
    "Fabric.setup": accelerate_prepare,
    "Fabric.setup_dataloaders": accelerate_prepare,
}
