"""What tests compare of runs by the program, by the library in C++ and by Python: all tables of their results files, and all that an open hall answers."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import wattloop as wl

ROOT = Path(__file__).resolve().parents[2]
ODD_TIMES_S = (13.37, 60.0, 77.7, 140.9, 171.03)
NOT_THE_RUN = {"provenance"}


def tables(file):
    """All datasets of a results file, as bytes."""
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and name.split("/")[0] not in NOT_THE_RUN and not name.endswith("wall_time"):
            value = np.asarray(item[()])
            found[name] = repr(value.tolist()).encode() if value.dtype.hasobject else value.tobytes()

    with h5py.File(file, "r") as opened:
        opened.visititems(keep)
    return found


def run_program(scenario, file, *options):
    """Runs the program with the instructions of the library."""
    words = [os.environ["WATTLOOP_PROGRAM"], "run", str(scenario), "-o", str(file), "-q"]
    if wl.instructions() in ("v2", "v3", "v4"):
        words += ["--isa", wl.instructions()]
    done = subprocess.run([*words, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def by_program(scenario, folder, *options):
    """Tables of the program."""
    file = Path(folder) / "program.h5"
    run_program(scenario, file, *options)
    return tables(file)


def run_library(scenario, folder, piece_s, odd_times_s, options):
    """The library in C++ (tests/outside/same_runs.cpp), with the instructions of this processor as all programs that are linked to it."""
    words = [os.environ["WATTLOOP_SAME_RUNS"], str(scenario), str(folder), repr(piece_s), ",".join(map(repr, odd_times_s)), *options]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def answers(hall):
    """Figures of the summary, events and present values of all series of an open hall."""
    figures = {name: repr(value) for name, value in hall.summary.items() if name != "wall_time"}
    events = [(event.time_s, event.kind, event.target, event.detail) for event in hall.events_since(0)]
    values = {(info.table, info.column): hall.values(info.table, info.column).tobytes() for info in hall.series}
    return figures, events, values


class SameResults(unittest.TestCase):
    """A scenario gives the same bytes by the program, and by Python and C++ in one piece, in pieces, and through forks and snapshots at odd times."""

    maxDiff = 2000

    def same(self, one, other):
        self.assertEqual(sorted(one), sorted(other))
        self.assertEqual([name for name in one if one[name] != other[name]], [])

    def check(self, scenario, duration, events, piece_s=60.0, odd_times_s=ODD_TIMES_S):
        file = ROOT / "scenarios" / scenario if isinstance(scenario, str) else scenario
        changes = {"duration": duration}
        options = ["--set", f"duration={duration}", *(word for event in events for word in ("--event", event))]
        with self.subTest(str(scenario)), tempfile.TemporaryDirectory() as folder:
            expected = by_program(file, folder, *options)
            whole = wl.Hall(file, set=changes, events=events)
            whole.record_to(Path(folder) / "whole.h5")
            whole.advance()
            self.same(tables(Path(folder) / "whole.h5"), expected)

            pieces = wl.Hall(file, set=changes, events=events)
            pieces.record_to(Path(folder) / "pieces.h5")
            while pieces.time < pieces.end:
                pieces.advance(until=min(pieces.time + piece_s, pieces.end))
            self.same(tables(Path(folder) / "pieces.h5"), expected)

            stopped = wl.Hall(file, set=changes, events=events)
            passed_on = wl.Hall(file, set=changes, events=events)
            for number, time_s in enumerate(odd_times_s):
                step_s = time_s - (odd_times_s[number - 1] if number else 0.0)
                stopped.advance(step_s)
                passed_on.advance(step_s)
                passed_on = passed_on.fork() if number % 2 else wl.Hall.from_snapshot(passed_on.snapshot())
            stopped.advance()
            passed_on.advance()
            expected_answers = answers(stopped)
            for ours, theirs in zip(answers(passed_on), expected_answers):
                self.assertEqual(ours, theirs)
            self.near(stopped, whole)

            run_library(file, folder, piece_s, odd_times_s, options)
            for results in ("library_whole.h5", "library_pieces.h5"):
                self.same(tables(Path(folder) / results), expected)
            self.assertEqual((Path(folder) / "library_values").read_bytes(), b"".join(expected_answers[2].values()))

    def near(self, one, other):
        """What docs/step_contract.md promises of pieces that end at any time."""
        share = 3e-6  # most differ by less than 1e-6; three minutes with a modelled fabric by 2.02e-6
        for name in ("utility_energy", "node_energy"):
            self.assertAlmostEqual(one.summary[name] / other.summary[name], 1.0, delta=share, msg=name)
        most_k = 0.03
        for info in one.series:
            if info.unit == "K":
                apart = np.abs(one.values(info.table, info.column) - other.values(info.table, info.column))
                self.assertLessEqual(np.nanmax(apart, initial=0.0), most_k, f"{info.table}: {info.column}")
