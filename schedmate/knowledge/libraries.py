"""Libraries that training code imports: these names mean the library even where a folder happens to be called so."""

KNOWN_LIBRARIES = frozenset(
    {
        "torch", "torchvision", "torchaudio", "torchtext", "transformers", "datasets", "accelerate", "peft", "trl",
        "diffusers", "evaluate", "tokenizers", "sentencepiece", "deepspeed", "lightning", "pytorch_lightning",
        "lightning_fabric", "torchmetrics", "hydra", "omegaconf", "numpy", "scipy", "pandas", "sklearn", "matplotlib",
        "tensorflow", "keras", "tensorflow_datasets", "tensorflow_hub", "tf_keras", "jax", "jaxlib", "flax", "optax",
        "haiku", "orbax", "chex", "ml_collections", "absl", "clu", "gin", "tqdm", "yaml", "wandb", "tensorboard",
        "tensorboardX", "mlflow", "einops", "timm", "stable_baselines3", "sb3_contrib", "gym", "gymnasium", "ray",
        "horovod", "mpi4py", "fire", "click", "typer", "tyro", "simple_parsing", "jsonargparse", "argparse", "os",
        "sys", "json", "re", "math", "random", "time", "datetime", "pathlib", "functools", "itertools", "collections",
        "logging", "copy", "subprocess", "typing", "dataclasses", "enum", "abc", "contextlib", "warnings", "shutil",
        "glob", "pickle", "io", "string", "types", "inspect", "importlib", "operator", "threading", "multiprocessing",
        "queue", "signal", "socket", "struct", "tempfile", "traceback", "uuid", "hashlib", "platform", "psutil",
        "requests", "PIL", "cv2", "skimage", "albumentations", "nltk", "spacy", "librosa", "soundfile",
        "torch_geometric", "dgl", "xgboost", "lightgbm", "catboost", "fairscale", "bitsandbytes", "xformers",
        "flash_attn", "apex", "mmengine", "mmcv", "yacs", "fvcore", "iopath", "submitit", "pydantic", "detectron2",
        "rich",
        "composer", "colossalai", "bagua", "oneflow", "paddle", "paddlenlp", "mindspore", "mxnet", "gluoncv", "fastai",
        "sacred", "pyrallis", "draccus", "chz", "optuna", "nevergrad", "safetensors", "huggingface_hub", "modelscope",
        "unsloth", "kornia", "lpips", "webdataset", "braceexpand", "streaming",
        "vllm", "sglang", "lmdeploy", "theano", "lasagne", "chainer"
    }
)  # fmt: skip

WITHOUT_TRAINING = frozenset(
    {
        "flask", "fastapi", "django", "starlette", "uvicorn", "gunicorn", "sqlalchemy", "pytest", "boto3", "botocore",
        "bs4", "scrapy", "plotly", "seaborn", "networkx", "dask", "pyarrow", "polars", "joblib", "numba", "h5py",
        "zarr", "xarray", "dotenv", "jinja2", "markdown", "werkzeug", "aiohttp", "httpx", "redis", "celery", "kafka",
        "pymongo", "psycopg2", "tabulate", "termcolor", "colorama", "loguru", "structlog", "tenacity", "cachetools",
        "attr", "attrs", "orjson", "ujson", "msgpack", "lxml", "openpyxl", "docutils", "sphinx", "setuptools", "pip",
        "pkg_resources", "six", "future", "gradio", "streamlit", "dash", "bokeh", "statsmodels", "sympy", "geopandas",
        "shapely", "rasterio", "faiss", "annoy", "openai", "anthropic", "langchain", "llama_index", "cohere",
        "google", "azure", "paramiko", "git", "docker", "prettytable", "imageio", "moviepy", "ffmpeg", "pydub",
        "nibabel", "SimpleITK", "rdkit", "Bio", "pysam", "sacrebleu", "rouge_score", "lmdb", "gdown", "pycocotools",
        "jsonlines", "ijson", "ftfy", "blobfile", "wget", "patoolib", "resampy", "pyworld", "textgrid", "unidecode",
        "inflect"
    }
)  # fmt: skip
"""Libraries that train no network: a program that uses nothing else trains none either."""
