"""The rules that Gymnasium has for environments, written down: shapes, types, bounds, equal episodes, no aliasing."""

import unittest
from pathlib import Path

import numpy as np

import wattloop as wl

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

    def test_mistakes(self):
        env = environment()
        with self.assertRaises(RuntimeError):
            env.step(np.array([0.7, 305.0]))
        env.reset()
        for wrong in ([0.7], [0.1, 305.0], [np.nan, 305.0], [[0.7, 305.0]]):
            with self.assertRaises(ValueError):
                env.step(np.array(wrong))
        with self.assertRaisesRegex(ValueError, "knows the option 'acts', not 'act'"):
            env.reset(options={"act": ["fail: cdu_1"]})
        with self.assertRaises(wl.InputError):
            wl.Environment(ONE_RACK, actions={"loop_1.pump_sped": (0.6, 1.0)}, observations=[], reward=lambda a, b: 0.0)
        with self.assertRaises(wl.InputError):
            wl.Environment(ONE_RACK, actions={}, observations=["nothing.here"], reward=lambda a, b: 0.0)


if __name__ == "__main__":
    unittest.main()
