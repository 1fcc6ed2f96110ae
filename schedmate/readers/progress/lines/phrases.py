"""Words and marks that part names from values in a line, or join them."""

ENDS = set(",;|{}•>·\t")

NOTHING = {"none", "null", "n", "n/a", "na", "nan", "unknown"}
"""Stands where a value is not known yet, `n` as the beginning of `n/a`."""
WRAPPERS = {
    "tensor",
    "array",
    "np.float64",
    "np.float32",
    "numpy.float64",
    "decimal",
    "float",
    "devicearray",
    "float64",
}
LINKS = {"is", "was", "of", "at", "the", "for", "to", "be", "are", "equals", "around", "about", "approx", "in"} | {
    "and", "on", "with", "by", "after", "from",
}  # fmt: skip

VAGUE = {"about", "around", "approx", "approximately", "roughly", "第"}
"""Words that name nothing, although nothing else stands before a value."""
JOINTS = {"/", "for", "the", "last", "per", "over", "past", "previous"}
DASHED = {"loss", "sec", "lr", "acc", "accuracy", "time", "reward"}
SOURCE = (".py", ".cc", ".cpp", ".h", ".cu", ".java", ".scala", ".go", ".rs", ".cxx", ".c", ".jl", ".lua")
WEIGHTS = (".pt", ".pth", ".ckpt", ".tar", ".h5", ".bin", ".npz", ".npy", ".pkl", ".onnx", ".safetensors", ".params")

FILES = (*WEIGHTS, ".pdparams", ".json", ".yaml", ".yml", ".txt", ".csv", ".log")
"""Whatever words their names are made of, files name no value."""
WHEN = {"at", "after", "for", "on", "in", "of"}
"""Before the counter of a value that is named in front: `loss at step 106: 5.63`."""
TOLD = {"is", "was", "took", "takes", "costs", "cost", "used"}
"""Between such a counter and the value that is named in front."""
SHORTENED = {"val", "valid", "eval", "tr", "trn", "tst"}
"""Parts of the work that are cut short with a point, behind which their name goes on: `Val. loss`."""
