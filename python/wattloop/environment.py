"""A hall as an environment for controllers that learn: the shape of Gymnasium's `Env`, with or without that package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import InputError, SolverError
from ._halls import Changes, Hall, Path, seconds

if TYPE_CHECKING:
    from ._halls import Array


class Box:
    """What a vector of numbers may be; a stand-in for `gymnasium.spaces.Box`."""

    def __init__(self, low: "Array", high: "Array") -> None:
        import numpy as np

        self.low = np.asarray(low, dtype=np.float64)
        self.high = np.asarray(high, dtype=np.float64)
        self.shape = self.low.shape
        self.dtype = np.dtype(np.float64)
        self._random = np.random.default_rng()

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high})"

    def seed(self, seed: Optional[int] = None) -> None:
        import numpy as np

        self._random = np.random.default_rng(seed)

    def contains(self, x: Any) -> bool:
        import numpy as np

        return (
            isinstance(x, np.ndarray)
            and x.shape == self.shape
            and np.can_cast(x.dtype, self.dtype)
            and bool(np.all(x >= self.low) and np.all(x <= self.high))
        )

    def sample(self) -> "Array":
        if not (all(map(_is_finite, self.low)) and all(map(_is_finite, self.high))):
            raise ValueError("a space without bounds has no samples of equal chance")
        return self._random.uniform(self.low, self.high)


def _is_finite(number: float) -> bool:
    return abs(number) != float("inf")


def _box(low: "Array", high: "Array") -> Any:
    try:
        from gymnasium.spaces import Box as RealBox
    except ImportError:
        return Box(low, high)
    import numpy as np

    return RealBox(low=low, high=high, dtype=np.float64)


class Environment:
    """Settings as actions, measured values as observations.

    `actions`: inputs with their least and largest values, SI or with units: {"loop_1.supply_temperature": ("28 degC", "40 degC")}.
    `observations`: series, "cdu_1.return_temperature". `reward(before, after)` is given two halls' observations by name.
    A step holds the actions for `step`. An episode is terminated when `is_over(observations)` says so or the run has no trustworthy
    answer, and truncated at the end of the scenario. A reset is a fork of the start, which is found once. A scenario that begins from a
    checkpoint (`initial: { from: … }`) starts a second after it, because what is due at the checkpoint has acted. Dry and wet bulb
    are set together: the order of the actions does not matter.
    """

    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None

    def __init__(
        self,
        scenario: Path,
        *,
        actions: Mapping[str, Tuple[Union[str, float], Union[str, float]]],
        observations: Sequence[str],
        reward: Callable[[Dict[str, float], Dict[str, float]], float],
        step: Union[str, float] = "5 min",
        is_over: Optional[Callable[[Dict[str, float]], bool]] = None,
        set: Changes = (),
        threads: int = 1,
    ) -> None:
        import numpy as np

        self._start = Hall(scenario, set=set, threads=threads)
        self._hall: Optional[Hall] = None
        self._observed = list(observations)
        if self._start.time > 0.0:  # what is due at its checkpoint has acted: actions come from the next second on
            self._start.advance(min(1.0, self._start.end - self._start.time))
        for name in self._observed:
            self._start[name]  # reports a name that is not there
        units = {one.name: one.unit for one in self._start.inputs}
        self._actions = list(actions)
        for name in self._actions:
            if name not in units:
                self._start.set(name, 0.0)  # reports the nearest name
        bounds = np.array([[_si(end, units[name]) for end in actions[name]] for name in self._actions], dtype=np.float64)
        bounds = bounds.reshape(len(self._actions), 2)
        for name, (low, high) in zip(self._actions, bounds):
            if not low < high:
                raise ValueError(f"actions: {name} goes from {low} to {high}")
            for bound in (low, high):  # reports what may not be set
                self._probe(name, float(bound), dict(zip(self._actions, bounds)))
        self.action_space = _box(bounds[:, 0], bounds[:, 1])
        unbounded = np.full(len(self._observed), np.inf)
        self.observation_space = _box(-unbounded, unbounded)
        self._reward = reward
        self._is_over = is_over
        self._step_s = seconds(step)
        if not self._step_s > 0.0:
            raise ValueError("step: a time above zero was expected")
        self.np_random = np.random.default_rng()

    def _probe(self, name: str, bound: float, bounds: "Mapping[str, Array]") -> None:
        """Sets an action alone. A bulb is set with the other one at the bound that leaves most room."""
        values = {name: bound}
        if name == WET_BULB and DRY_BULB in bounds:
            values[DRY_BULB] = float(bounds[DRY_BULB][1])
        if name == DRY_BULB and WET_BULB in bounds:
            values[WET_BULB] = float(bounds[WET_BULB][0])
        _set_together(self._start.fork(), values)

    @property
    def unwrapped(self) -> "Environment":
        return self

    @property
    def hall(self) -> Hall:
        """The hall of this episode."""
        if self._hall is None:
            raise RuntimeError("reset comes before the first step")
        return self._hall

    def _look(self) -> Dict[str, float]:
        return {name: self.hall[name] for name in self._observed}

    def _vector(self, seen: Dict[str, float]) -> "Array":
        import numpy as np

        return np.array([seen[name] for name in self._observed], dtype=np.float64)

    def _expected(self, given: "Array") -> str:
        """What was expected of the first action that does not fit."""
        if given.shape != self.action_space.shape:
            return f": {len(self._actions)} numbers were expected: {', '.join(self._actions)}"
        for name, value, low, high in zip(self._actions, given, self.action_space.low, self.action_space.high):
            if not low <= value <= high:  # nor is NaN: no action is left out
                return f": {name} is {value:g}, and a number from {low:g} to {high:g} was expected"
        return ""

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple["Array", Dict[str, Any]]:
        """A new episode. `options={"acts": ["fail: cdu_1"]}` happen at its begin. A hall has no chance of its own: `seed` is that of
        `np_random`, which reward and policy may use."""
        import numpy as np

        if seed is not None:
            self.np_random = np.random.default_rng(seed)
            self.action_space.seed(seed)
        given = dict(options or {})
        acts = given.pop("acts", ())
        if given:
            raise ValueError(f"reset knows the option 'acts', not {', '.join(map(repr, given))}")
        hall = self._start.fork()
        for act in acts:
            hall.act(act)
        self._hall = hall
        return self._vector(self._look()), {"time": self._hall.time}

    def step(self, action: "Array") -> Tuple["Array", float, bool, bool, Dict[str, Any]]:
        """Holds the settings of `action` for a step."""
        import numpy as np

        if isinstance(action, np.ma.MaskedArray):
            raise ValueError("the action has a mask, expected a number for each setting: give the present value to hold it")
        given = np.asarray(action, dtype=np.float64)
        if not self.action_space.contains(given):
            raise ValueError(f"the action {action!r} is not in the action space{self._expected(given)}")
        hall = self.hall
        if hall.time >= hall.end:
            raise RuntimeError("the episode is over: reset comes before the next step")
        before = self._look()
        _set_together(hall, dict(zip(self._actions, map(float, given))))
        info: Dict[str, Any] = {}
        try:
            hall.advance(until=min(hall.time + self._step_s, hall.end))
        except SolverError as error:
            info["error"] = str(error)
        after = self._look()
        info["time"] = hall.time
        is_over = "error" in info or (self._is_over is not None and bool(self._is_over(after)))
        return self._vector(after), float(self._reward(before, after)), is_over, hall.time >= hall.end, info

    def render(self) -> None:
        return None

    def close(self) -> None:
        self._hall = None


DRY_BULB = "weather.dry_bulb"
WET_BULB = "weather.wet_bulb"


def _set_together(hall: Hall, values: Mapping[str, float]) -> None:
    """Sets the values; both bulbs or none. The wet bulb may not be above the dry bulb at any time, so that one order of the two may be refused and the other taken."""
    names = list(values)
    if DRY_BULB in values and WET_BULB in values:
        if values[WET_BULB] > values[DRY_BULB]:
            raise ValueError(
                f"{WET_BULB} of {values[WET_BULB]:g} K is above {DRY_BULB} of {values[DRY_BULB]:g} K: "
                "give a wet bulb that is not above the dry bulb"
            )
        probe = hall.fork()
        try:
            for name in names:
                probe.set(name, values[name])
        except InputError:
            names.reverse()
            probe = hall.fork()
            for name in names:
                probe.set(name, values[name])
    for name in names:
        hall.set(name, values[name])


def _si(value: Union[str, float], unit: str) -> float:
    from . import _wattloop

    return _wattloop.to_si(value, unit) if isinstance(value, str) else float(value)
