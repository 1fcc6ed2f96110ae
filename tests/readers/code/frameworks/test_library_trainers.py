"""Trainers of libraries that a table knows: what they are told, wherever they are told it, and their defaults."""

import pytest

from schedmate.knowledge.library_trainers import row_of_call
from schedmate.knowledge.tables import table

FIELDS = ("batch_size", "epochs", "total_steps", "learning_rate", "optimizer")


def settings(job):
    return tuple(getattr(job, field) for field in FIELDS)


@pytest.mark.parametrize(
    ("program", "expected", "framework", "name"),
    [
        (
            "from flair.trainers import ModelTrainer\nModelTrainer(tagger, rows).train('out', mini_batch_size=24)\n",
            (24, 100, None, 0.1, "SGD"), "Flair, PyTorch", None,
        ),
        (
            "from flair.trainers import ModelTrainer\nModelTrainer(tagger, rows).fine_tune('out', max_epochs=3)\n",
            (4, 3, None, 5e-5, "AdamW"), "Flair, PyTorch", None,
        ),
        (
            "from simpletransformers.ner import NERModel\n"
            "NERModel('bert', 'bert-small', args={'num_train_epochs': 6}).train_model('rows.txt')\n",
            (8, 6, None, 4e-5, "AdamW"), "Simple Transformers, Hugging Face Transformers, PyTorch", "bert-small",
        ),
        (
            "from txtai.pipeline import HFTrainer\nHFTrainer()('bert-small', rows, num_train_epochs=6)\n",
            (8, 6, None, 5e-5, "AdamW"), "txtai, Hugging Face Transformers, PyTorch", "bert-small",
        ),
        (
            "from stable_baselines import PPO2\nPPO2('MlpPolicy', 'Maze-v1', learning_rate=0.002).learn(5000)\n",
            (None, None, 5000, 0.002, None), "Stable Baselines, TensorFlow", "PPO2",
        ),
        (
            "import d3rlpy\nmade = d3rlpy.algos.CQLConfig(actor_learning_rate=0.01, batch_size=99)\n"
            "agent = made.create(device=0)\nagent.fit(rows, n_steps=7000)\n",
            (99, None, 7000, 0.01, "Adam"), "d3rlpy, PyTorch", "CQL",
        ),
        (
            "from gluonts.model.deepar import DeepAREstimator\nfrom gluonts.mx.trainer import Trainer\n"
            "DeepAREstimator(freq='H', trainer=Trainer(epochs=9, learning_rate=0.02)).train(rows)\n",
            (32, 9, None, 0.02, "Adam"), "GluonTS, MXNet", "DeepAREstimator",
        ),
        (
            "from recbole.quick_start import run_recbole\n"
            "run_recbole(model='BPR', dataset='ml-1m', config_dict={'train_batch_size': 64, 'learner': 'sgd'})\n",
            (64, 300, None, 1e-3, "SGD"), "RecBole, PyTorch", "BPR",
        ),
        (
            "from spinup import sac_pytorch\nsac_pytorch(env_fn=make, epochs=4, lr=0.5, batch_size=33)\n",
            (33, 4, None, 0.5, "Adam"), "Spinning Up, PyTorch", "sac",
        ),
    ],
)  # fmt: skip
def test_what_is_told_and_what_is_not(read, program, expected, framework, name):
    job = read({"go.py": program}, "python go.py")
    assert (job.is_training, settings(job), job.framework) == (True, expected, framework)
    assert name is None or job.model_name == name


def test_an_agent_is_named_after_its_policy(read):
    program = """
        import torch, tianshou as ts
        net = torch.nn.Linear(4, 2)
        policy = ts.policy.DQNPolicy(net, torch.optim.Adam(net.parameters(), lr=0.005), 0.9)
        ts.trainer.offpolicy_trainer(policy, train, test, 12, 1000, 10, 100, 40)
        """
    job = read({"go.py": program}, "python go.py")
    assert (settings(job), job.model_name, job.task) == ((40, 12, None, 0.005, "Adam"), "DQN", "RL")


@pytest.mark.parametrize(
    ("trigger", "epochs", "steps"), [("(20, 'epoch')", 20, None), ("(900, 'iteration')", None, 900)]
)
def test_chainers_parts_are_put_into_each_other(read, trigger, epochs, steps):
    program = f"""
        import chainer
        from chainer import training
        optimizer = chainer.optimizers.Adam(alpha=0.003)
        rows = chainer.iterators.SerialIterator(load(), 50)
        updater = training.updaters.StandardUpdater(rows, optimizer, device=1)
        training.Trainer(updater, {trigger}, out='there').run()
        """
    job = read({"go.py": program}, "python go.py")
    assert settings(job) == (50, epochs, steps, 0.003, "Adam")
    assert (job.num_gpus, job.framework) == (1, "Chainer")


MODULE = """
    import mxnet as mx
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Variable('data'), num_hidden=10))
    rows = mx.io.ImageRecordIter(path_imgrec='birds.rec', batch_size=96)
    module = mx.mod.Module(symbol=net, context={context})
    module.fit(rows, num_epoch=8{told})
    """


@pytest.mark.parametrize(
    ("context", "told", "gpus", "batch", "rate", "optimizer"),
    [
        ("mx.gpu(0)", ", optimizer='adam', optimizer_params={'learning_rate': 0.2}", 1, 96, 0.2, "Adam"),
        ("[mx.gpu(0), mx.gpu(1)]", ", optimizer_params=(('learning_rate', 0.2), ('wd', 0))", 2, 48, 0.2, "SGD"),
        ("mx.cpu()", "", 0, 96, 0.01, "SGD"),
    ],
)
def test_mxnets_modules(read, context, told, gpus, batch, rate, optimizer):
    job = read({"go.py": MODULE.format(context=context, told=told)}, "python go.py")
    assert (job.num_gpus, job.batch_size, job.learning_rate, job.optimizer) == (gpus, batch, rate, optimizer)
    assert (job.epochs, job.framework) == (8, "MXNet")


def test_a_module_that_a_loop_of_the_programs_own_drives(read):
    program = """
        import mxnet as mx
        module = mx.mod.Module(symbol=mx.sym.Variable('data'), context=mx.gpu())
        module.init_optimizer(optimizer='rmsprop', optimizer_params={'learning_rate': 0.07})
        for epoch in range(11):
            for rows in load():
                module.forward(rows)
                module.backward()
                module.update()
        """
    job = read({"go.py": program}, "python go.py")
    assert (job.learning_rate, job.optimizer, job.epochs, job.num_gpus) == (0.07, "RMSprop", 11, 1)


def test_what_is_given_but_not_known_has_no_default(read):
    program = "import sys\nfrom skorch import NeuralNetClassifier\n"
    program += "NeuralNetClassifier(object, lr=float(sys.stdin.read()), device='cuda').fit(rows)\n"
    job = read({"go.py": program}, "python go.py")
    assert (job.learning_rate, job.num_gpus, job.epochs) == (None, 1, 10)


def test_a_file_that_may_settle_all_leaves_no_defaults(read):
    program = (
        "from recbole.quick_start import run_recbole\nrun_recbole(model='LightGCN', config_file_list=['away.yaml'])\n"
    )
    job = read({"go.py": program}, "python go.py")
    assert (job.model_name, job.epochs, job.learning_rate) == ("LightGCN", None, None)


def test_the_repositorys_own_package_of_that_name_is_followed(read):
    files = {
        "tianshou/__init__.py": "",
        "tianshou/trainer.py": "def offpolicy_trainer(*words, max_epoch):\n    print(max_epoch)\n",
        "go.py": "from tianshou.trainer import offpolicy_trainer\nofpolicy = offpolicy_trainer(max_epoch=3)\n",
    }
    assert read(files, "python go.py").framework is None


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (
            "from darts.models import TCNModel\nTCNModel(30, 5, optimizer_cls=torch.optim.SGD).fit(rows)\n",
            (32, 100, None, 1e-3, "SGD"),
        ),
        (
            "from pytorch_tabnet.tab_model import TabNetRegressor\n"
            "TabNetRegressor(optimizer_fn=torch.optim.RMSprop).fit(rows, marks)\n",
            (1024, 100, None, 0.02, "RMSprop"),
        ),
        (
            "from skorch import NeuralNet\n"
            "NeuralNet(object, optimizer__lr=0.3, iterator_train__batch_size=48).fit(rows)\n",
            (48, 10, None, 0.3, "SGD"),
        ),
        (
            "import d3rlpy\nmade = d3rlpy.algos.BCConfig(optim_factory=d3rlpy.models.RMSpropFactory())\n"
            "made.create().fit(rows, n_steps=70)\n",
            (None, None, 70, None, None),
        ),
        (
            "from simpletransformers.ner import NERArgs, NERModel\nwords = NERArgs()\nwords.num_train_epochs = 6\n"
            "NERModel('bert', 'bert-small', args=words).train_model('rows.txt')\n",
            (8, 6, None, 4e-5, "AdamW"),
        ),
    ],
)
def test_what_is_told_by_names_of_the_librarys_own(read, program, expected):
    assert settings(read({"go.py": f"import torch\n{program}"}, "python go.py")) == expected


def test_the_first_of_several_models_is_not_told_what_the_others_are(read):
    program = """
        from neuralforecast import NeuralForecast
        from neuralforecast.models import LSTM, NHITS
        NeuralForecast(models=[NHITS(h=4, max_steps=60), LSTM(h=4, learning_rate=0.3)], freq='D').fit(rows)
        """
    assert settings(read({"go.py": program}, "python go.py")) == (32, None, 60, 1e-3, "Adam")


def test_parts_that_hold_each_other_many_times_are_read_once(read):
    held = [f"part = neuralforecast.Part({', '.join(['part'] * 150)})" for _ in range(6)]
    program = "\n".join(["import neuralforecast", "part = neuralforecast.Part()", *held])
    program += "\nneuralforecast.NeuralForecast(part, max_steps=7).fit(rows)\n"
    assert read({"go.py": program}, "python go.py").total_steps == 7


@pytest.mark.parametrize(("device", "gpus"), [("'cpu'", 0), ("'cuda:1'", 1), ("'auto'", None)])
def test_the_words_for_a_device(read, device, gpus):
    program = f"from pykeen.pipeline import pipeline\npipeline(model='TransH', device={device})\n"
    assert read({"go.py": program}, "python go.py").num_gpus == gpus


def test_what_is_no_network_has_no_defaults_of_one(read):
    program = "import deepchem as dc\ndc.models.{}(9).fit(rows, nb_epoch=4)\n"
    forest = read({"go.py": program.format("SklearnModel")}, "python go.py")
    network = read({"go.py": program.format("GCNModel")}, "python go.py")
    assert (forest.optimizer, forest.batch_size, network.optimizer, network.batch_size) == (None, None, "Adam", 100)


@pytest.mark.parametrize("name", sorted(table("library_trainers")))
def test_entries_are_whole(name):
    row = table("library_trainers")[name]
    assert row["framework"]
    assert all(prefix.endswith(".") for prefix in row["prefixes"])
    assert row_of_call(f"{row['prefixes'][0]}some.X{row['calls'][0]}") is not None
    assert set(row.get("defaults", {})) <= {*FIELDS, "precision", "num_gpus"}


def test_a_context_of_each_process_is_not_all_of_them(read):
    program = """
        import horovod.mxnet as hvd
        import mxnet as mx
        hvd.init()
        network = mx.gluon.nn.Dense(2)
        network.initialize(ctx=[mx.gpu(hvd.local_rank())])
        trainer = mx.gluon.Trainer(network.collect_params(), "sgd", {"learning_rate": 0.1})
        for step in range(100):
            with mx.autograd.record():
                network(mx.nd.ones((4, 2))).backward()
            trainer.step(4)
        """
    assert read({"go.py": program}, "horovodrun -np 4 -H localhost:4 python go.py").num_gpus == 4
    assert read({"go.py": program}, "python go.py").num_gpus in (1, None)


@pytest.mark.parametrize(
    ("program", "expected", "gpus"),
    [
        (
            "import deepxde as dde\nmodel = dde.Model(rows, dde.nn.FNN([1, 9, 1], 'tanh', 'Glorot uniform'))\n"
            "model.compile('adam', lr=0.02)\nmodel.train(iterations=700)\n",
            (None, None, 700, 0.02, "Adam"), 1,
        ),
        (
            "from deepctr_torch.models import WDL\nmodel = WDL(wide, deep, device='cuda:0')\n"
            "model.compile('adagrad', 'mse')\nmodel.fit(rows, marks, epochs=4)\n",
            (256, 4, None, None, "Adagrad"), 1,
        ),
        (
            "from denoising_diffusion_pytorch import GaussianDiffusion, Trainer, Unet\n"
            "Trainer(GaussianDiffusion(Unet(dim=8), image_size=32), 'birds', train_lr=3e-5).train()\n",
            (16, None, 100_000, 3e-5, "Adam"), None,
        ),
        (
            "import torch\nfrom avalanche.training import Replay\nnet = torch.nn.Linear(3, 2)\n"
            "way = Replay(net, torch.optim.SGD(net.parameters(), lr=0.3), loss, train_mb_size=20, device='cuda')\n"
            "for part in parts:\n    way.train(part)\n    way.eval(part)\n",
            (20, 1, None, 0.3, "SGD"), 1,
        ),
        (
            "import scvi\nmodel = scvi.model.SCVI(cells)\nmodel.train(max_epochs=30)\n",
            (128, 30, None, None, "Adam"), 1,
        ),
        (
            "from stardist.models import Config2D, StarDist2D\n"
            "StarDist2D(Config2D(train_batch_size=6), name='x').train(a, b, validation_data=c, epochs=9)\n",
            (6, 9, None, 3e-4, "Adam"), 1,
        ),
        (
            "import open3d.ml.torch as ml3d\n"
            "ml3d.pipelines.SemanticSegmentation(ml3d.models.KPFCNN(), dataset=d, max_epoch=8).run_train()\n",
            (4, 8, None, None, None), 1,
        ),
        (
            "import gpt_2_simple as gpt2\ngpt2.finetune(session, 'a.txt', model_name='355M', steps=80)\n",
            (1, None, 80, 1e-4, "Adam"), 1,
        ),
        (
            "from sbi.inference import SNPE\nSNPE(prior=p).append_simulations(a, b).train(training_batch_size=70)\n",
            (70, None, None, 5e-4, "Adam"), 0,
        ),
        (
            "import netket as nk\nway = nk.VMC(energy, nk.optimizer.Sgd(learning_rate=0.2), variational_state=state)\n"
            "way.run(n_iter=60, out='there')\n",
            (None, None, 60, 0.2, "SGD"), None,
        ),
        (
            "from modulus.sym.solver import Solver\nSolver(told, domain).solve()\n",
            (None,) * 5, None,
        ),
        ("import flgo\nflgo.init('there', fedavg, {'gpu': 0}).run()\n", (None,) * 5, None),
        ("import caffe\nsolver = caffe.SGDSolver('s.prototxt')\nsolver.step(900)\n", (None,) * 4 + ("SGD",), None),
    ],
)  # fmt: skip
def test_what_trainers_are_told_that_compile_simulate_or_go_on(read, program, expected, gpus):
    job = read({"go.py": program}, "python go.py")
    assert (job.is_training, settings(job), job.num_gpus) == (True, expected, gpus)


@pytest.mark.parametrize(
    "program",
    [
        "import deepxde as dde\nmodel = dde.Model(rows, net)\nmodel.compile('adam', lr=0.02)\nmodel.predict(x)\n",
        "import open3d.ml.torch as ml3d\nml3d.pipelines.SemanticSegmentation(net, dataset=d).run_test()\n",
        "import caffe\nnet = caffe.Net('d.prototxt', 'w.caffemodel', caffe.TEST)\nnet.forward()\n",
        "import scvi\nscvi.model.SCVI.load('there').get_latent_representation()\n",
    ],
)
def test_the_same_libraries_do_more_than_train(read, program):
    assert read({"go.py": program}, "python go.py").is_training is not True
