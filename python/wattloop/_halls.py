"""A hall that runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Union

from . import _wattloop
from ._errors import Error, InputError
from ._wattloop import Input, Part, Series, SeriesInfo

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Array = npt.NDArray[np.float64]

Path = Union[str, "os.PathLike[str]"]
Changes = Union[Mapping[str, object], Iterable[str]]
Told = Optional[Callable[[str], None]]


def overrides(changes: Changes) -> List[str]:
    """`{"duration": "1 h"}` or `["duration=1 h"]` as the program takes them."""
    if isinstance(changes, str):
        return [plain("set", changes)]
    if isinstance(changes, Mapping):
        return [plain("set", f"{path}={value}") for path, value in changes.items()]
    return [plain("set", change) for change in changes]


def seconds(time: Union[str, float]) -> float:
    """Seconds of "1 min" or of a number of seconds."""
    return _wattloop.to_si(time, "s") if isinstance(time, str) else float(time)


def numbers(name: str, array: Any) -> Array:
    """The array itself if it is one of float64 in one dimension."""
    import numpy as np

    if isinstance(array, np.ma.MaskedArray):
        raise InputError(f"{name}: an array with a mask, expected a number for each: fill it first")
    if array.dtype != np.float64 or array.ndim != 1:
        found = f"an array of {array.dtype} in {array.ndim} dimensions"
        raise InputError(f"{name}: {found}, expected float64 in one dimension")
    return np.ascontiguousarray(array)


def plain(what: str, text: str) -> str:
    """The text, if it is Unicode."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        place = f"character {error.start + 1} of {ascii(text)[:200]}"
        raise InputError(f"{what}: {place} is half of a surrogate pair, expected Unicode") from None
    return text


def path_text(path: Path) -> str:
    """The path as a text that a file may have."""
    text = os.fspath(path)
    if "\0" in text:
        raise InputError(f"the path {text[:200]!r} has a NUL character, expected the name of a file")
    return text


class Hall:
    """A hall between two instants: advanced, looked at, acted on, forked. docs/python.md explains it by examples."""

    def __init__(
        self,
        scenario: Path,
        *,
        set: Changes = (),
        events: Iterable[str] = (),
        integrator: str = "multirate",
        threads: int = 1,
        on_note: Told = None,
        on_warning: Told = None,
    ) -> None:
        """Reads a scenario, builds its hall and finds the start, at which nothing has acted yet."""
        options = _wattloop.Options(overrides(set), overrides(events), integrator, threads, on_note, on_warning)
        self._hall = _wattloop.Hall(path_text(scenario), options)
        self._series: Dict[Any, Series] = {}

    @classmethod
    def _of(cls, hall: _wattloop.Hall) -> "Hall":
        made = cls.__new__(cls)
        made._hall = hall
        made._series = {}
        return made

    @classmethod
    def from_text(
        cls,
        text: str,
        name: Path = "scenario.yaml",
        *,
        set: Changes = (),
        events: Iterable[str] = (),
        integrator: str = "multirate",
        threads: int = 1,
        on_note: Told = None,
        on_warning: Told = None,
    ) -> "Hall":
        """The hall of a scenario that is a text; `name` stands for its file."""
        options = _wattloop.Options(overrides(set), overrides(events), integrator, threads, on_note, on_warning)
        return cls._of(_wattloop.Hall.from_text(plain("text", text), path_text(name), options))

    @classmethod
    def from_snapshot(cls, snapshot: bytes, *, threads: int = 1) -> "Hall":
        """A hall as `snapshot` left it: from there on all is, to the bit, as without the break."""
        return cls._of(_wattloop.Hall.from_snapshot(snapshot, threads))

    @property
    def time(self) -> float:
        """Seconds from the start of the scenario."""
        return self._hall.time_s()

    @property
    def end(self) -> float:
        """When the scenario ends, in seconds from its start."""
        return self._hall.end_s()

    def advance(self, duration: Union[str, float, None] = None, *, until: Union[str, float, None] = None) -> float:
        """Runs for `duration` ("1 min", or seconds), or `until` a time, or to the end; returns the time reached.

        The hall stops before anything acts at that instant. Ctrl-C leaves it, usable, at the instant reached.
        """
        if duration is not None and until is not None:
            raise TypeError("advance: give a duration or `until`, not both")
        if until is not None:
            target = seconds(until)
        elif duration is not None:
            target = self.time + seconds(duration)
        else:
            target = self.end
        self._hall.advance_to(target)
        return self.time

    def act(self, event: str) -> None:
        """An event of this instant in the language of scenarios: "fail: cdu_3". It acts when the hall advances."""
        self._hall.act(plain("act", event))

    def set(self, input: str, value: Union[str, float, Array]) -> None:
        """Sets an input from now on: SI, or a text with its unit: "36 degC".

        "gpus.power" is set by an array of float64, or a list: watts that every GPU draws, in the order of the table `gpus`.
        """
        plain("set", input)
        if isinstance(value, str):
            self._hall.set_text(input, plain("set", value))
        elif isinstance(value, (list, tuple)):
            import numpy as np

            self._hall.set_array(input, numbers(input, np.asarray(value, dtype=float)))
        elif hasattr(value, "dtype") and getattr(value, "ndim", 0) > 0:
            self._hall.set_array(input, numbers(input, value))
        else:
            self._hall.set(input, float(value))

    def fork(self) -> "Hall":
        """A hall of its own in this state. Each may go on its own thread."""
        return Hall._of(self._hall.fork())

    def _named(self, name: str) -> Series:
        found = self._series.get(name)
        if found is None:
            found = self._series[name] = self._hall.named(plain("series", name))
        return found

    def _column(self, table: str, column: str) -> Series:
        found = self._series.get((table, column))
        if found is None:
            found = self._series[(table, column)] = self._hall.column(plain("series", table), plain("series", column))
        return found

    def __getitem__(self, name: str) -> float:
        """The value of one part now, SI: hall["cdu_3.return_temperature"], hall["facility.pue"]."""
        return self._hall.value(self._named(name))

    def get(self, name: str, unit: str) -> float:
        """The same in a unit: hall.get("cdu_3.return_temperature", "degC")."""
        series = self._named(name)
        return _wattloop.from_si(self._hall.value(series), self._hall.info(series).unit, unit)

    def values(self, table: str, column: str, out: "Optional[Array]" = None) -> "Array":
        """All values of a column now, SI: a read-only array that keeps its values, or `out`, filled."""
        series = self._column(table, column)
        if out is None:
            return self._hall.values(series)
        import numpy as np

        if not isinstance(out, np.ndarray) or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise TypeError("out: a contiguous array of float64 was expected")
        self._hall.values_into(series, out)
        return out

    def meter(self, name: str, column: Optional[str] = None) -> None:
        """Counts means from now on, afresh where it was metered: meter("facility.it_power"), meter("racks", "power")."""
        self._hall.meter(self._named(name) if column is None else self._column(name, column))

    def mean(self, name: str, since: Union[str, float, None] = None) -> float:
        """Mean of one part as records have it, SI, since its meter began or the end of a later piece."""
        return self._hall.mean(self._named(name), None if since is None else seconds(since))

    def means(self, table: str, column: str, since: Union[str, float, None] = None) -> "Array":
        """The same of all values of a column: a read-only array that keeps its values."""
        return self._hall.means(self._column(table, column), None if since is None else seconds(since))

    def items(self, table: str) -> List[str]:
        """Names of the parts of a table, in the order of its values."""
        for info in self._hall.all_series():
            if info.table == table:
                return info.items
        self._hall.column(table, "")  # says which tables there are
        return []

    @property
    def series(self) -> List[SeriesInfo]:
        """All series: table, column, unit, text, names of items."""
        return self._hall.all_series()

    @property
    def parts(self) -> List[Part]:
        """What stands in the hall, and what may happen to it."""
        return self._hall.parts()

    @property
    def inputs(self) -> List[Input]:
        """What `set` may change: name, unit, lowest and highest that it may be set to, present value."""
        return self._hall.inputs()

    def events_since(self, first: int) -> List[_wattloop.Event]:
        """What happened before this instant, from number `first` on."""
        return self._hall.events(first)

    @property
    def events(self) -> "pd.DataFrame":
        """What happened before this instant: time (s), kind, target, detail."""
        import pandas as pd

        rows = [(event.time_s, event.kind, event.target, event.detail) for event in self._hall.events(0)]
        return pd.DataFrame(rows, columns=["time", "kind", "target", "detail"])

    @property
    def summary(self) -> Dict[str, Union[float, int, str]]:
        """Figures of a run that ends now, SI."""
        return {figure.name: figure.value for figure in self._hall.summary()}

    @property
    def scenario(self) -> str:
        """YAML of the scenario with every act as an event: `wattloop run` of it gives the same hall."""
        return self._hall.scenario()

    def save_scenario(self, file: Path) -> None:
        """Writes that scenario, and beside it the watts of GPUs that were set: of mine.yaml mine.gpu_power.csv."""
        self._hall.save_scenario(path_text(file))

    def snapshot(self) -> bytes:
        """This state, at any instant."""
        return self._hall.snapshot()

    def record_to(self, results: Path) -> None:
        """Records the run into a results file, complete when its end is reached. Before the first advance."""
        self._hall.record_to(path_text(results))

    def __repr__(self) -> str:
        try:
            return f"<wattloop.Hall at {self.time:g} s of {self.end:g} s>"
        except (Error, AttributeError):  # of another process, in use by another thread, or never opened
            return "<wattloop.Hall that cannot be read here>"
