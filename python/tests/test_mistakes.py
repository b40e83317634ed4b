"""What is asked of a hall by mistake: exceptions that say what was expected, and a hall that stays as it was."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import wattloop as wl
from same_results import run_program

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
ONE_RACK = SCENARIOS / "one_rack.yaml"


class Mistakes(unittest.TestCase):
    def test_mistakes_say_what_was_expected(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        with self.assertRaises(wl.InputError) as caught:
            hall["cdu_1.retrun_temperature"]
        self.assertEqual(caught.exception.problems[0].hint, "did you mean 'cdu_1.return_temperature'?")
        for wrong in (lambda: hall.act("fail: cdu_9"), lambda: hall.advance("3 kg"), lambda: hall.advance(until=-1.0),
                      lambda: hall.set("nothing", 1.0), lambda: hall.get("cdu_1.return_temperature", "kg"),
                      lambda: wl.Hall(ONE_RACK, set={"no": "thing"}), lambda: hall.advance(float("nan")),
                      lambda: hall.act("\x00\x1b" * 1000), lambda: hall.act("a" * 10**6)):
            with self.assertRaises(wl.InputError):
                wrong()
        for wrong, place, words in (
            (lambda: hall.advance(-5), "advance", "-5 s is past"),
            (lambda: hall.get("facility.it_power", "degC"), "unit", "units that fit: W, kW, MW"),
            (lambda: hall.set("loop_1.pump_speed", 120), "set", "write a ratio from 0 to 1; the input keeps its value"),
            (lambda: hall.mean("racks.it_power"), "series", 'means("racks", "it_power")'),
        ):
            with self.assertRaises(wl.InputError) as caught:
                wrong()
            problem = caught.exception.problems[0]
            self.assertEqual(problem.file, place)
            self.assertIn(words, problem.message + problem.hint)
        with self.assertRaises(wl.FileError):
            wl.Hall.from_snapshot(b"no snapshot")
        with self.assertRaisesRegex(wl.FileError, "cannot read nofile.h5: No such file"):
            wl.open("nofile.h5")
        with self.assertRaises(TypeError):
            hall.advance(1.0, until=2.0)
        self.assertEqual(hall.time, 0.0)
        self.assertEqual(len(hall.events), 0)

    def test_control_characters_are_refused_and_the_hall_stays(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        before = hall.scenario
        for wrong, words in (
            (lambda: hall.act("fail: cdu_1.pump_a\0"), r"the act has a control character: 'fail: cdu_1.pump_a\x00'"),
            (lambda: hall.act("fail: \x1bcdu_1.pump_a"), "the act has a control character"),
            (lambda: hall.act("set: loop_1.pump_speed\0, to: 90 %"), "the act has a control character"),
            (lambda: hall.set("loop_1.pump_speed", "80 %\0"), "the value has a control character"),
            (lambda: hall.set("loop_1.pump_speed\0", 0.8), "there is no input"),
            (lambda: hall.record_to("a\0b.h5"), "has a NUL character"),
            (lambda: hall.save_scenario("a\0b.yaml"), "has a NUL character"),
            (lambda: wl.Hall("a\0b.yaml"), "has a NUL character"),
        ):
            with self.assertRaises(wl.InputError) as caught:
                wrong()
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\0", str(caught.exception))
        self.assertEqual(hall.scenario, before)

    def test_a_hall_that_cannot_be_read_has_a_representation(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        self.assertEqual(repr(hall), "<wattloop.Hall at 0 s of 60 s>")
        self.assertIn("cannot be read here", repr(wl.Hall.__new__(wl.Hall)))
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if "cannot be read here" in repr(hall) else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_a_fork_reads_no_file_again(self):
        with tempfile.TemporaryDirectory() as folder:
            run_program(ONE_RACK, Path(folder) / "base.h5", "--set", "duration=12 min", "--save-at", "10min")
            plain = f"format: 1\nextends: {ONE_RACK}\nduration: 12 min\n"
            resumed = plain + "initial: { from: base.at-600s.checkpoint, at: 10 min }\n"
            for text, integrator in ((plain, "monolithic"), (resumed, "multirate"), (resumed, "monolithic")):
                file = Path(folder) / "changing.yaml"
                file.write_text(text)
                hall = wl.Hall(file, integrator=integrator)
                begun = hall.time
                checkpoint = Path(folder) / "base.at-600s.checkpoint"
                kept = checkpoint.read_bytes()
                file.unlink()
                checkpoint.unlink()
                at_start = hall.fork()
                hall.advance("2 s")
                later = hall.fork()
                checkpoint.write_bytes(kept)
                saved = wl.Hall.from_snapshot(hall.snapshot())  # the file of the scenario is gone
                self.assertEqual(saved.time, hall.time)
                at_start.advance("2 s")
                for one in (at_start, later):
                    self.assertEqual(one.time, begun + 2.0)
                    one.act("fail: cdu_1.pump_a")
                    one.advance("8 s")
                hall.act("fail: cdu_1.pump_a")
                hall.advance("8 s")
                for one in (at_start, later):
                    np.testing.assert_array_equal(one.values("gpus", "die_temperature"), hall.values("gpus", "die_temperature"))
                    self.assertEqual(len(one.events), len(hall.events))

    def test_hints_name_what_there_is(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        for wrong, hint in (
            (lambda: hall.set("loop_1.suply_temperature", 300.0), "did you mean 'loop_1.supply_temperature'?"),
            (lambda: hall.act("set: loop_1.suply_temperature, to: 36 degC"), "did you mean 'loop_1.supply_temperature'?"),
            (lambda: hall.set("loop_1.zzz", 1.0), "inputs of loop_1: loop_1.supply_temperature, loop_1.pump_speed, loop_1.differential_pressure"),
            (lambda: hall.set("pdu_9.zzz", 1.0), "inputs are of facility, rear_doors, loop_1, racks, cdu_1.valve, cdu_1.facility, cdu_1.technology, gpus; `inputs` lists all"),
        ):
            with self.assertRaises(wl.InputError) as caught:
                wrong()
            self.assertEqual([problem.hint for problem in caught.exception.problems], [hint])

    def test_half_of_a_surrogate_pair_is_no_text(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        odd = "fail: \ud800"
        for wrong in (lambda: hall.act(odd), lambda: hall[odd], lambda: hall.set(odd, 1.0), lambda: hall.set("loop_1.pump_speed", odd),
                      lambda: hall.values(odd, "power"), lambda: wl.Hall(ONE_RACK, set={odd: "1"}), lambda: wl.Hall.from_text(odd)):
            with self.assertRaisesRegex(wl.InputError, "half of a surrogate pair"):
                wrong()

    def test_inputs_take_what_they_list(self):
        for scenario in (ONE_RACK, SCENARIOS / "h100_10k.yaml", SCENARIOS / "halls/mixed.yaml"):
            hall = wl.Hall(scenario, set={"duration": "1 h"})
            for one in hall.inputs:
                with self.subTest(scenario=scenario.name, input=one.name):
                    for taken in (one.lowest, one.highest):
                        hall.fork().set(one.name, taken)
                    for refused in (np.nextafter(one.lowest, -np.inf), np.nextafter(one.highest, np.inf)):
                        with self.assertRaises(wl.InputError):
                            hall.set(one.name, refused)

    def test_a_callback_that_raises_is_heard(self):
        with self.assertRaises(KeyError):
            wl.study(SCENARIOS / "studies/one_rack_supply.yaml", on_row=lambda row: {}["no"])


if __name__ == "__main__":
    unittest.main()
