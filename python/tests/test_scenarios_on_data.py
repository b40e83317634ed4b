"""A replay and a year by rows give the same bytes, however they are run."""

import os
import sys
import unittest

from same_results import SameResults


class Scenarios(SameResults):
    def test_a_replay_of_a_measured_trace(self):
        supply = "at: 1 min, set: loop_1.supply_temperature, to: 36 degC, over: 1 min"
        self.check("replay_gpt3.yaml", "4 min", [supply])

    def test_a_year_by_rows(self):
        odd_times_s = (1337.0, 3600.0, 17777.7, 50409.0, 90171.03)
        self.check("../bench/scenarios/year_by_rack.yaml", "36 h", [], piece_s=3600.0, odd_times_s=odd_times_s)


if __name__ == "__main__":
    if not os.environ.get("WATTLOOP_REFERENCE_DATA"):
        sys.exit(77)
    unittest.main()
