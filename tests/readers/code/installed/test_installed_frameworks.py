"""With what a program computes that is not here: by what its folder says is to be installed."""

import pytest

OPTIONS = "--train_files=a.csv --train_batch_size=48 --dev_files=b.csv --learning_rate 0.002"


@pytest.mark.parametrize("program", ["DeepTalk.py", "./Speaker.py", "apps/model_main.py"])
def test_options_about_training_make_a_trainer_of_any_name(read, program):
    found = read({"README.md": "# Notes\n"}, f"python {program} {OPTIONS}")
    assert (found.is_training, found.batch_size, found.learning_rate) == (True, 48, 0.002)


@pytest.mark.parametrize(
    "command",
    [
        "python DeepTalk.py --batch_size 48 --epochs 3",  # might be anything's
        "python evaluate.py --train_files=a.csv --train_batch_size=48",
        "python export_model.py --train_files=a.csv --train_batch_size=48",
        "python DeepTalk.py --train_files a.csv --train_words 3",  # nothing of how it trains
    ],
)
def test_a_single_word_or_another_work_does_not(read, command):
    found = read({"README.md": "# Notes\n"}, command)
    assert (found.is_training or None, found.batch_size) == (None, None)


@pytest.mark.parametrize(
    ("files", "framework"),
    [
        ({"Dockerfile": "FROM ubuntu\nRUN pip3 install 'tensorflow-gpu==1.6.0' pandas\n"}, "TensorFlow"),
        ({"requirements.txt": "numpy\ntorch>=1.9\ntorchvision\n"}, "PyTorch"),
        ({"environment.yml": "dependencies:\n  - python=3.8\n  - pip:\n    - jax==0.3\n"}, "JAX"),
        ({"requirements.txt": "torch\ntensorflow\n"}, None),
        ({"Dockerfile": "FROM ubuntu\nRUN git clone https://a.example/torch\n"}, None),
        ({"requirements.txt": "pytorch-lightning\n# torch==1.0\ntorchmetrics\n"}, None),
        ({"requirements.txt": "--find-links https://a.example/torch stable\nnumpy\n"}, None),
        ({"setup.py": "setup(name='a', install_requires=['numpy', 'torch>=1.9'])\n"}, "PyTorch"),
        ({"setup.py": "REQUIREMENTS = [\n    'jax',\n]\nsetup(install_requires=REQUIREMENTS)\n"}, "JAX"),
        ({"setup.py": "setup(extras_require={'gpu': ['mxnet-cu101']})\n"}, "MXNet"),
        ({"setup.py": "setup(name='a', description='How a torch is lit')\n"}, None),
        ({"setup.py": "setup(name='a', keywords=['torch', 'fire'])\n"}, None),
        ({"pyproject.toml": "[project]\nname = 'a'\ndependencies = [\n  'torch>=2',\n]\n"}, "PyTorch"),
        ({"pyproject.toml": "[tool.poetry.dependencies]\npython = '^3.9'\ntensorflow = '^2.9'\n"}, "TensorFlow"),
        ({"pyproject.toml": "[project]\nname = 'a'\ndescription = 'carry a torch for her'\n"}, None),
        ({"pyproject.toml": "[project]\nname = 'a'\ndependencies = ['numpy']\nkeywords = ['torch']\n"}, None),
        ({"pyproject.toml": "[project\ndependencies = ['torch']\n"}, None),
        ({"environment.yml": "name: torch\ndependencies:\n  - numpy\n"}, None),
        ({"Dockerfile": "FROM ubuntu\nRUN conda install -y -c pytorch 'torch==1.9' && rm -rf /tmp/a\n"}, "PyTorch"),
        ({"Dockerfile": "FROM ubuntu\nLABEL about='how to install a torch in a cave'\n"}, None),
    ],
)
def test_the_one_framework_that_is_installed_is_the_programs(read, files, framework):
    assert read(files, f"python DeepTalk.py {OPTIONS}").framework == framework
