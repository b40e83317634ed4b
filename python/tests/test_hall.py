"""A hall in Python: the bits of the program, views that outlive it, exceptions, interrupts, threads."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

import wattloop as wl
from same_results import by_program, tables

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"
ONE_RACK = SCENARIOS / "one_rack.yaml"


class Threads(unittest.TestCase):
    def test_a_hall_of_one_thread_starts_no_other(self):
        program = (
            "import os, wattloop as wl\n"
            f"hall = wl.Hall({str(SCENARIOS / 'h100_10k.yaml')!r}, set={{'duration': '1 min'}})\n"
            "hall.advance('10 s')\n"
            "hall['facility.pue']\n"
            "print(len(os.listdir('/proc/self/task')))\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("1\n", ""))


class Bits(unittest.TestCase):
    CASES = [
        ("one_rack.yaml", {"duration": "5 min"}, ["at: 40 s, fail: cdu_1.pump_a, for: 90 s"]),
        ("utility_loss/feeds_lost_40s.yaml", {"duration": "4 min"}, []),
        ("pump_failure/a_pump_trips.yaml", {"duration": "4 min"}, []),
    ]

    def same(self, one, other):
        self.assertEqual(sorted(one), sorted(other))
        self.assertEqual([name for name in one if one[name] != other[name]], [])

    def test_tables_are_those_of_the_program_in_one_piece_and_in_minutes(self):
        for scenario, changes, events in self.CASES:
            with self.subTest(scenario), tempfile.TemporaryDirectory() as folder:
                options = [word for path, value in changes.items() for word in ("--set", f"{path}={value}")]
                options += [word for event in events for word in ("--event", event)]
                expected = by_program(SCENARIOS / scenario, folder, *options)
                whole = wl.run(SCENARIOS / scenario, Path(folder) / "whole.h5", set=changes, events=events)
                self.same(tables(whole.file), expected)
                hall = wl.Hall(SCENARIOS / scenario, set=changes, events=events)
                hall.record_to(Path(folder) / "pieces.h5")
                while hall.time < hall.end:
                    hall.advance("1 min")
                self.same(tables(Path(folder) / "pieces.h5"), expected)

    def test_a_scenario_of_acts_gives_the_same_tables_by_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            hall = wl.Hall(ONE_RACK, set={"duration": "3 min"})
            hall.record_to(Path(folder) / "acted.h5")
            hall.advance(47.25)
            hall.act("fail: cdu_1.pump_a, for: 30 s")
            hall.set("loop_1.supply_temperature", "36 degC")
            hall.advance()
            (Path(folder) / "told.yaml").write_text(hall.scenario)
            self.same(tables(Path(folder) / "acted.h5"), by_program(Path(folder) / "told.yaml", folder))

    def test_the_file_of_a_hall_has_this_hall_and_not_its_forks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "alone.h5"
            hall = wl.Hall(ONE_RACK, set={"duration": "3 min"})
            hall.record_to(file)
            hall.advance("1 min")
            for other in (hall.fork(), wl.Hall.from_snapshot(hall.snapshot())):
                other.act("fail: cdu_1.pump_a")
                other.advance()
            self.assertFalse(file.exists())
            hall.advance()
            self.same(tables(file), by_program(ONE_RACK, folder, "--set", "duration=3 min"))

    def test_watts_of_gpus_are_repeated_by_the_program(self):
        for integrator in ("multirate", "monolithic"):
            with self.subTest(integrator), tempfile.TemporaryDirectory() as folder:
                hall = wl.Hall(ONE_RACK, set={"duration": "2 min"}, integrator=integrator)
                hall.record_to(Path(folder) / "steered.h5")
                hall.set("gpus.power", np.linspace(100.0, 690.0, 64))
                hall.advance(47.25)
                hall.set("gpus.power", np.full(64, 1000.0 / 3.0))
                hall.advance()
                hall.save_scenario(Path(folder) / "told.yaml")
                told = by_program(Path(folder) / "told.yaml", folder, "--integrator", integrator)
                self.same(tables(Path(folder) / "steered.h5"), told)

    def test_a_list_of_watts_is_taken_and_drawn(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        hall.set("gpus.power", [90.0] * 64)
        hall.advance("30 s")
        np.testing.assert_allclose(hall.values("gpus", "power"), 90.0, atol=1.0)

    def test_python_ends_while_a_thread_advances(self):
        program = """
import threading, time, wattloop
hall = wattloop.Hall("scenarios/h100_10k.yaml", set={"duration": "1 h"})
threading.Thread(target=hall.advance, daemon=True).start()
time.sleep(0.3)
"""
        ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_arrays_that_do_not_fit_are_refused(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        before = hall.scenario
        wrong = [np.full(63, 1.0), np.full(64, 1), np.full((8, 8), 1.0), np.full(64, np.nan)]
        for array in wrong:
            with self.assertRaises(wl.InputError):
                hall.set("gpus.power", array)
        with self.assertRaisesRegex(wl.InputError, "with a mask"):
            hall.set("gpus.power", np.ma.masked_greater(np.full(64, 700.0), 500.0))
        with self.assertRaisesRegex(wl.InputError, "float32.*expected float64"):
            hall.set("gpus.power", np.full(64, 1.0, np.float32))
        self.assertEqual(hall.scenario, before)

    def test_values_are_what_is_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            hall = wl.Hall(ONE_RACK, set={"duration": "2 min"})
            hall.record_to(Path(folder) / "x.h5")
            seen = {}
            while hall.time < hall.end:
                seen[hall.time] = hall.values("gpus", "die_temperature")
                hall.advance("1 min")
            with h5py.File(Path(folder) / "x.h5", "r") as file:
                times, dies = file["gpus/time"][:], file["gpus/die_temperature"][:]
            for at, values in seen.items():
                np.testing.assert_array_equal(dies[list(times).index(at)], values.astype(np.float32))


    def test_means_are_what_the_program_records(self):
        """Every column that the program records as a mean of a minute, faults included, and no other."""
        changes = {"duration": "4 min", "record.facility": "1 min", "record.racks": "1 min"}
        fault = "at: 70 s, fail: cdu_1.pump_a, for: 80 s"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "program.h5"
            words = [os.environ["WATTLOOP_PROGRAM"], "run", str(ONE_RACK), "-o", str(file), "-q", "--event", fault]
            words += [word for path, value in changes.items() for word in ("--set", f"{path}={value}")]
            if wl.instructions() in ("v2", "v3", "v4"):
                words += ["--isa", wl.instructions()]
            subprocess.run(words, check=True, capture_output=True)
            hall = wl.Hall(ONE_RACK, set=changes, events=[fault])
            with h5py.File(file, "r") as opened:
                metered = []
                for series in hall.series:
                    place = f"{series.table}/{series.column}"
                    if place not in opened:
                        continue
                    if opened[place].attrs["cell_methods"] == b"time: mean":
                        hall.meter(series.table, series.column)
                        metered.append((series, opened[place][:]))
                    else:
                        with self.assertRaises(wl.InputError):
                            hall.meter(series.table, series.column)
            self.assertGreater(len(metered), 20)
            self.assertTrue(any(series.column == "pue" for series, _ in metered))
            odd = hall.fork()
            for minute in range(1, 5):
                hall.advance("1 min")
                odd.advance(17.0)  # pieces that end elsewhere are added up, and move the hall a little
                odd.advance(until=f"{minute} min")
                for series, rows in metered:
                    since = f"{minute - 1} min"
                    with self.subTest(series=series, minute=minute):
                        means = hall.means(series.table, series.column, since)
                        np.testing.assert_allclose(means, np.ravel(rows[minute]), rtol=2e-7)
                        means = odd.means(series.table, series.column, since)
                        np.testing.assert_allclose(means, np.ravel(rows[minute]), rtol=1e-4, atol=1e-9)  # no battery at work: 1e-11 W
            whole = [np.ravel(rows[1:].mean(axis=0)) for series, rows in metered if series.column == "it_power"]
            for one, table in zip(whole, [series.table for series, _ in metered if series.column == "it_power"]):
                np.testing.assert_allclose(hall.means(table, "it_power"), one, rtol=2e-7)
            self.assertEqual(hall.mean("facility.it_power"), hall.means("facility", "it_power")[0])


class Inputs(unittest.TestCase):
    def test_inputs_have_limits_and_texts_to_set_are_values_alone(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        speed = {one.name: one for one in hall.inputs}["loop_1.pump_speed"]
        self.assertEqual((speed.unit, speed.lowest, speed.highest), ("1", 0.0, 1.0))
        before = hall.scenario
        for bad in ("90 %, at: 30 s", "90 %\nfail: cdu_1.pump_a", 1.01, -0.01, float("nan"), "120 %"):
            with self.assertRaises(wl.InputError) as caught:
                hall.set("loop_1.pump_speed", bad)
            self.assertTrue(caught.exception.problems[0].message, bad)
        self.assertEqual(hall.scenario, before)


class Values(unittest.TestCase):
    def test_a_view_outlives_its_hall_and_stays_as_it_was(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        view = hall.values("gpus", "die_temperature")
        kept = view.copy()
        hall.act("fail: cdu_1.pump_a")
        hall.advance("30 s")
        later = hall.values("gpus", "die_temperature")
        del hall
        gc.collect()
        np.testing.assert_array_equal(view, kept)
        self.assertFalse(np.array_equal(view, later))
        with self.assertRaises(ValueError):
            view[0] = 0.0
        self.assertEqual(view.dtype, np.float64)

    def test_an_array_is_filled(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        out = np.zeros(64)
        self.assertIs(hall.values("gpus", "die_temperature", out=out), out)
        np.testing.assert_array_equal(out, hall.values("gpus", "die_temperature"))
        for bad in (np.zeros(63), np.zeros(64, dtype=np.float32), [0.0] * 64, np.zeros((8, 8)), np.zeros(128)[::2]):
            with self.assertRaises((TypeError, ValueError)):
                hall.values("gpus", "die_temperature", out=bad)
        np.testing.assert_array_equal(out, hall.values("gpus", "die_temperature"))

    def test_one_value_has_units(self):
        hall = wl.Hall(ONE_RACK, set={"duration": "1 min"})
        kelvin = hall["cdu_1.return_temperature"]
        self.assertAlmostEqual(hall.get("cdu_1.return_temperature", "degC"), kelvin - 273.15, places=9)
        self.assertEqual(len(hall.items("gpus")), 64)
        self.assertIn("loop_1.supply_temperature", [one.name for one in hall.inputs])
        self.assertIn("cdu_1", [one.name for one in hall.parts])


class Places(unittest.TestCase):
    def test_the_file_of_a_hall_is_not_replaced_wherever_the_program_goes(self):
        with tempfile.TemporaryDirectory() as folder:
            own, other = Path(folder) / "own", Path(folder) / "other"
            for place in (own, other):
                place.mkdir()
                (place / "mine.yaml").write_text(f"# written by hand\nextends: {ONE_RACK}\nduration: 1 min\n")
            before = (own / "mine.yaml").read_text()
            try:
                os.chdir(own)
                hall = wl.Hall("mine.yaml")
                os.chdir(other)
                for one in (hall, hall.fork(), wl.Hall.from_snapshot(hall.snapshot())):
                    with self.assertRaisesRegex(wl.InputError, "this is the file of the hall itself"):
                        one.save_scenario(own / "mine.yaml")
                    self.assertEqual((own / "mine.yaml").read_text(), before)
                    one.save_scenario("mine.yaml")  # another file of this name
            finally:
                os.chdir(ROOT)


class Ends(unittest.TestCase):
    def test_an_event_is_at_the_end_also_between_two_microseconds(self):
        for end in ("0.3333333333 h", "59.9999999 s", "1 min"):
            with self.subTest(end):
                hall = wl.Hall(ONE_RACK, set={"duration": end}, events=[f"at: {end}, fail: cdu_1.pump_a"])
                hall.advance()
                self.assertIn((hall.end, "fail", "cdu_1.pump_a"), [(one.time_s, one.kind, one.target) for one in hall.events_since(0)])


class Runs(unittest.TestCase):
    def test_ctrl_c_leaves_the_hall_usable(self):
        hall = wl.Hall(SCENARIOS / "one_rack.yaml", set={"duration": "30 d", "record": "summary"})
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            hall.advance()
        reached = hall.time
        self.assertGreater(reached, 0.0)
        self.assertLess(reached, hall.end)
        hall.advance(60.0)
        self.assertEqual(hall.time, reached + 60.0)

    def test_the_interpreter_is_free_while_a_hall_runs(self):
        hall = wl.Hall(SCENARIOS / "one_rack.yaml", set={"duration": "2 d", "record": "summary"})
        counted = 0
        runner = threading.Thread(target=hall.advance)
        runner.start()
        while runner.is_alive() and counted < 50:
            time.sleep(0.001)
            counted += 1
        self.assertGreaterEqual(counted, 5)
        with self.assertRaises(wl.UsageError):
            while runner.is_alive():
                hall.act("fail: cdu_1.pump_a")
            raise wl.UsageError("the run was faster than the look at it")
        runner.join()

    def test_a_study_has_the_rows_of_halls_by_hand(self):
        seen = []
        study = wl.study(SCENARIOS / "studies/one_rack_supply.yaml", threads=2, on_row=seen.append)
        table = study.table
        self.assertEqual(len(table), 16)
        self.assertEqual(sorted(row.run for row in seen), list(range(1, 17)))
        hall = wl.Hall(ONE_RACK, set={"duration": "5 min", "hall.cooling.loops.supply_temperature": "30 degC",
                                      "hall.cooling.loops.pump_speed": "65 %"})
        hall.advance()
        self.assertEqual(study.rows[0].cells[[c.name for c in study.columns].index("pue")], repr(hall.summary["pue"]))

    def test_what_is_listed_can_be_read(self):
        hall = wl.Hall(ONE_RACK)
        shown = [repr(one) for one in (hall.inputs[0], hall.parts[0], hall.series[0])]
        for text, words in zip(shown, ("<Input facility.supply_temperature = ", "<Part ", "<SeriesInfo ")):
            self.assertTrue(text.startswith(words), text)

    def test_an_unknown_group_is_answered_with_the_nearest(self):
        with tempfile.TemporaryDirectory() as folder:
            results = wl.run(ONE_RACK, Path(folder) / "one.h5", set={"duration": "1 min"})
            with self.assertRaisesRegex(wl.InputError, "no group 'rakcs'; it has racks"):
                results.dataset("rakcs")

    def test_pandas_and_xarray_are_imported_when_asked_for(self):
        code = "import sys, wattloop; sys.exit(any(name in sys.modules for name in ('pandas', 'xarray', 'h5py')))"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
