"""The rules that Gymnasium has for environments, written down: shapes, types, bounds, equal episodes, no aliasing."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import wattloop as wl
from same_results import run_program

ONE_RACK = Path(__file__).resolve().parents[2] / "scenarios/one_rack.yaml"


def environment(**options):
    return wl.Environment(
        ONE_RACK,
        set={"duration": "3 min"},
        step="1 min",
        actions={"loop_1.pump_speed": ("60 %", "100 %"), "loop_1.supply_temperature": ("28 degC", "40 degC")},
        observations=["cdu_1.return_temperature", "facility.pue"],
        reward=lambda before, after: before["facility.pue"] - after["facility.pue"],
        **options,
    )


class Rules(unittest.TestCase):
    def episode(self, env, seed, **options):
        seen, info = env.reset(seed=seed, **options)
        steps = [seen]
        is_over = is_cut = False
        while not (is_over or is_cut):
            seen, reward, is_over, is_cut, info = env.step(env.action_space.sample())
            self.assertIsInstance(reward, float)
            self.assertIsInstance(is_over, bool)
            self.assertIsInstance(is_cut, bool)
            self.assertIsInstance(info, dict)
            self.assertTrue(env.observation_space.contains(seen))
            steps.append(np.append(seen, reward))
        return steps

    def test_spaces_and_steps(self):
        env = environment()
        self.assertEqual(env.action_space.shape, (2,))
        np.testing.assert_allclose(env.action_space.low, [0.6, 301.15])
        np.testing.assert_allclose(env.action_space.high, [1.0, 313.15])
        seen, info = env.reset(seed=3)
        self.assertTrue(env.observation_space.contains(seen))
        self.assertEqual(seen.dtype, env.observation_space.dtype)
        self.assertIsInstance(info, dict)
        self.assertTrue(env.action_space.contains(env.action_space.sample()))

    def test_equal_seeds_and_actions_are_equal_episodes(self):
        env, other = environment(), environment()
        first, again, apart = self.episode(env, 5), self.episode(env, 5), self.episode(other, 5)
        self.assertEqual(len(first), 4)
        for one, two, three in zip(first, again, apart):
            np.testing.assert_array_equal(one, two)
            np.testing.assert_array_equal(one, three)
        different = self.episode(env, 6)
        self.assertFalse(all(np.array_equal(one, two) for one, two in zip(first, different)))

    def test_what_was_returned_does_not_change(self):
        env = environment()
        seen, _ = env.reset(seed=1)
        kept = seen.copy()
        action = env.action_space.sample()
        given = action.copy()
        env.step(action)
        np.testing.assert_array_equal(seen, kept)
        np.testing.assert_array_equal(action, given)

    def test_an_episode_ends_apart_from_its_time(self):
        env = environment(is_over=lambda seen: seen["cdu_1.return_temperature"] > 0.0)
        env.reset(seed=1)
        _, _, is_over, is_cut, _ = env.step(env.action_space.sample())
        self.assertTrue(is_over)
        self.assertFalse(is_cut)

    def test_acts_begin_an_episode(self):
        env = environment()
        plain, failed = self.episode(env, 2), self.episode(env, 2, options={"acts": ["fail: cdu_1.pump_a"]})
        self.assertFalse(np.array_equal(plain[-1], failed[-1]))

    def test_both_bulbs_are_set_together_in_any_order(self):
        bounds = {"weather.dry_bulb": ("0 degC", "45 degC"), "weather.wet_bulb": ("-5 degC", "30 degC")}
        reached = []
        for names in (list(bounds), list(bounds)[::-1]):
            env = wl.Environment(
                ONE_RACK.parent / "h100_10k.yaml",
                set={"duration": "10 min"},
                step="10 s",
                actions={name: bounds[name] for name in names},
                observations=["facility.wet_bulb", "facility.pue"],
                reward=lambda before, after: 0.0,
            )
            env.reset()
            for dry_k, wet_k in ((303.0, 301.0), (282.0, 280.0), (305.0, 302.5), (290.0, 281.0)):
                action = {"weather.dry_bulb": dry_k, "weather.wet_bulb": wet_k}
                seen, *_ = env.step(np.array([action[name] for name in names]))
                reached.append((seen[0], seen[1]))
            before = env.hall.scenario
            wrong = {"weather.dry_bulb": 280.0, "weather.wet_bulb": 281.0}
            with self.assertRaisesRegex(ValueError, "wet_bulb of 281 K is above weather.dry_bulb of 280 K"):
                env.step(np.array([wrong[name] for name in names]))
            self.assertEqual(env.hall.scenario, before)
        self.assertEqual(reached[:4], reached[4:])

    def test_a_scenario_that_begins_from_a_checkpoint_has_episodes(self):
        with tempfile.TemporaryDirectory() as folder:
            run_program(ONE_RACK, Path(folder) / "base.h5", "--set", "duration=12 min", "--save-at", "10min")
            branch = Path(folder) / "branch.yaml"
            branch.write_text(
                f"format: 1\nextends: {ONE_RACK}\nduration: 12 min\n"
                "initial: { from: base.at-600s.checkpoint, at: 10 min }\n"
            )
            env = wl.Environment(
                branch, actions={"loop_1.pump_speed": (0.6, 1.0)}, observations=["cdu_1.return_temperature"],
                step="30 s", reward=lambda before, after: 0.0,
            )
            episodes = [self.episode(env, 4), self.episode(env, 4)]
            np.testing.assert_array_equal(episodes[0][-1], episodes[1][-1])
            self.assertEqual(env.reset()[1]["time"], 601.0)
            hall = wl.Hall(branch)
            fork, again = hall.fork(), wl.Hall.from_snapshot(hall.snapshot())
            for one in (hall, fork, again):
                with self.assertRaisesRegex(wl.InputError, "has acted already"):
                    one.act("fail: cdu_1.pump_a")
                one.advance("1 s")
                one.act("fail: cdu_1.pump_a")
                one.advance("30 s")
                np.testing.assert_array_equal(one.values("gpus", "die_temperature"), hall.values("gpus", "die_temperature"))

    def test_mistakes(self):
        env = environment()
        with self.assertRaises(RuntimeError):
            env.step(np.array([0.7, 305.0]))
        env.reset()
        for wrong in ([0.7], [0.1, 305.0], [np.nan, 305.0], [[0.7, 305.0]]):
            with self.assertRaises(ValueError):
                env.step(np.array(wrong))
        with self.assertRaisesRegex(ValueError, "loop_1.pump_speed is nan, and a number from 0.6 to 1 was expected"):
            env.step(np.array([np.nan, 305.0]))
        with self.assertRaisesRegex(ValueError, "the action has a mask"):
            env.step(np.ma.array([0.7, 305.0], mask=[True, False]))
        with self.assertRaisesRegex(ValueError, "2 numbers were expected: loop_1.pump_speed, loop_1.supply"):
            env.step(np.array([0.7]))
        with self.assertRaisesRegex(ValueError, "knows the option 'acts', not 'act'"):
            env.reset(options={"act": ["fail: cdu_1"]})
        with self.assertRaises(wl.InputError):
            wl.Environment(ONE_RACK, actions={"loop_1.pump_sped": (0.6, 1.0)}, observations=[], reward=lambda a, b: 0.0)
        with self.assertRaises(wl.InputError):
            wl.Environment(ONE_RACK, actions={}, observations=["nothing.here"], reward=lambda a, b: 0.0)


if __name__ == "__main__":
    unittest.main()
