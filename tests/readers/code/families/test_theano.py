"""Theano's graphs, by themselves and through Lasagne."""

LASAGNE = """
import lasagne
import theano
import theano.tensor as T

rows, rate = T.matrix("rows"), 0.002
net = lasagne.layers.DenseLayer(lasagne.layers.InputLayer((None, 4), rows), 2)
loss = lasagne.objectives.squared_error(lasagne.layers.get_output(net), rows).mean()
changes = lasagne.updates.adam(loss, lasagne.layers.get_all_params(net), learning_rate=rate)
step = theano.function([rows], loss, updates=changes)
for step_number in range(700):
    step(batch())
"""


def test_lasagnes_updates_train_where_the_function_is_called(read):
    job = read({"train.py": LASAGNE}, "python train.py")
    assert (job.is_training, job.framework, job.optimizer) == (True, "Lasagne, Theano", "Adam")
    assert (job.learning_rate, job.total_steps) == (0.002, 700)


def test_a_function_that_only_looks_does_not_train(read):
    looks = LASAGNE.replace(", updates=changes", "").replace("changes =", "# changes =")
    assert read({"look.py": looks}, "python look.py").is_training is not True


BY_HAND = """
import sys
import numpy
import theano
import theano.tensor as T

class Net:
    def __init__(self, batch_size=32, n_epochs=5):
        self.batch_size, self.n_epochs = batch_size, n_epochs
    def set_params(self, **told):
        for name, value in told.items():
            setattr(self, name, type(getattr(self, name))(value))
    def fit(self, rows):
        weights = theano.shared(numpy.zeros(4))
        cost = T.mean(T.dot(T.matrix("x"), weights))
        step = theano.function([], cost, updates=[(weights, weights - 0.1 * T.grad(cost, weights))])
        for epoch in range(self.n_epochs):
            for place in range(0, len(rows), self.batch_size):
                step()

def judge(net, batch_size=100):
    return [net for place in range(0, 1000, batch_size)]

net = Net()
net.set_params(**dict(one.split("=") for one in sys.argv[1].split(",")))
net.fit(open("rows.txt").read())
judge(net, batch_size=512)
"""


def test_what_the_command_gives_counts_beside_what_the_code_gives_later(read):
    job = read({"train.py": BY_HAND, "rows.txt": "a\n"}, "python train.py n_epochs=9,batch_size=80")
    assert (job.is_training, job.framework, job.epochs, job.batch_size) == (True, "Theano", 9, 80)
