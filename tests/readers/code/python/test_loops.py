def test_a_loop_below_the_making_of_what_is_no_network_is_not_followed_in_full(follow):
    code = """
class Grid:
    def __init__(self):
        self.rows = []
        self.load()
    def load(self):
        for place in range(90):
            self.rows.append(self.row(place))
    def row(self, place):
        cells = []
        for x in range(90):
            cells.append(x * place)
        return cells
grids = [Grid(), Grid(), Grid()]
"""
    run, _ = follow(code)
    assert run.steps < 5_000
