"""Scenarios with faults of every sort give the same bytes, however they are run."""

import tempfile
import unittest
from pathlib import Path

from same_results import ROOT, SameResults, run_program

#: scenario, what is set, events that are added
SCENARIOS = [
    ("pump_failure/a_pump_trips.yaml", "3 min", ["at: 90 s, restore: cdu_1.pump_a"]),
    ("pump_failure/c_cdu_lost.yaml", "3 min", []),
    ("utility_loss/feeds_lost_40s.yaml", "4 min", []),
    ("limits/all_chillers_lost.yaml", "4 min", []),
    ("limits/ups_module_out.yaml", "3 min", []),
    ("part_faults/valve_stuck.yaml", "3 min", []),
    ("part_faults/exchanger_clogs.yaml", "3 min", []),
    ("halls/dgx_h100_air.yaml", "4 min", ["at: 1 min, fail: crah_1, for: 1 min"]),
    ("fabric/no_failure.yaml", "3 min", ["at: 1 min, fail: leaf_3, for: 30 s"]),
    ("jobs/elastic_training.yaml", "4 min", ["at: 1 min, fail: row_1.rack_1.node_2.gpu_5"]),
]


class Scenarios(SameResults):
    def test_faults_of_every_sort_an_air_hall_a_fabric_and_jobs(self):
        for scenario, duration, events in SCENARIOS:
            self.check(scenario, duration, events)

    def test_a_run_that_begins_from_a_checkpoint(self):
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder) / "base.h5"
            run_program(ROOT / "scenarios/one_rack.yaml", base, "--set", "duration=12 min", "--save-at", "10min")
            scenario = Path(folder) / "branch.yaml"
            scenario.write_text(
                f"format: 1\nextends: {ROOT}/scenarios/one_rack.yaml\n"
                "initial: { from: base.at-600s.checkpoint, at: 10 min }\n"
                "events: [{ at: 12 min, fail: cdu_1.pump_a, for: 30 s }]\n"
            )
            self.check(scenario, "14 min", [])


if __name__ == "__main__":
    unittest.main()
