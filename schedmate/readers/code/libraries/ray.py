"""Ray: what trainers and remote functions run on their workers."""

from schedmate.readers.code.natives import Call, Hook
from schedmate.readers.code.things import Bound, Function, Made
from schedmate.readers.code.values import Val


def ray_trainer_fit(call: Call) -> Val | None:
    """Model Ray Train: the function given to the trainer runs on its workers."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, Made):
        return None
    made = owner.data
    target = made.kwargs.get("train_loop_per_worker") or (made.args[0] if made.args else None)
    config = made.kwargs.get("train_loop_config")
    if target is not None and isinstance(target.data, (Function, Bound)):
        args = [config] if config is not None else []
        call.run.call(target, args, {}, call.spot, call.scope)
    return Val(Made(call.name, call.args, call.kwargs, call.spot, owner))


ENDINGS: dict[str, Hook] = {
    "TorchTrainer.fit": ray_trainer_fit,
    "TensorflowTrainer.fit": ray_trainer_fit,
}
