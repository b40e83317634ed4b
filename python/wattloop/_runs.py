"""Whole runs and studies, and results files."""

from __future__ import annotations

import builtins
import difflib
import os
from typing import TYPE_CHECKING, Callable, Dict, Iterable, List, Optional, Union

from . import _wattloop
from ._errors import FileError, InputError
from ._halls import Changes, Hall, Path, Told, overrides

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


class Results:
    """A results file. Its groups are opened when they are asked for (docs/results_format.md)."""

    def __init__(self, file: Path) -> None:
        self.file = os.fspath(file)
        try:
            with builtins.open(self.file, "rb") as opened:
                head = opened.read(8)
        except OSError as error:
            raise FileError(f"cannot read {self.file}: {error.strerror}") from error
        if head != b"\x89HDF\r\n\x1a\n":
            raise FileError(f"{self.file} is no results file")

    def dataset(self, group: str) -> "xr.Dataset":
        """A group with names, units and times: run.dataset("racks").max_die_temperature."""
        import xarray as xr

        names = self.groups
        if group not in names:
            near = difflib.get_close_matches(group, names, 1) or [", ".join(names)]
            raise InputError(f"{self.file} has no group '{group}'; it has {near[0]}")
        return xr.open_dataset(self.file, group=group, engine="h5netcdf")

    @property
    def groups(self) -> List[str]:
        """Names of the groups."""
        import h5py

        with h5py.File(self.file, "r") as opened:
            return [name for name in opened if isinstance(opened[name], h5py.Group)]

    @property
    def summary(self) -> Dict[str, Union[float, int, str]]:
        """Figures of the summary, SI."""
        with self.dataset("summary") as group:
            return {str(name): variable.values.item() for name, variable in group.data_vars.items()}

    def __repr__(self) -> str:
        return f"<wattloop.Results {self.file}>"


def open(file: Path) -> Results:
    """A results file of an earlier run."""
    return Results(file)


def run(
    scenario: Path,
    results: Path,
    *,
    set: Changes = (),
    events: Iterable[str] = (),
    integrator: str = "multirate",
    threads: int = 1,
    on_note: Told = None,
    on_warning: Told = None,
) -> Results:
    """Runs a scenario to its end into a results file."""
    hall = Hall(
        scenario, set=set, events=events, integrator=integrator, threads=threads, on_note=on_note, on_warning=on_warning
    )
    hall.record_to(results)
    hall.advance()
    return Results(results)


class Study:
    """The table of a study."""

    def __init__(self, table: _wattloop.StudyTable) -> None:
        self.title: str = table.title
        self.rows = table.rows
        self.columns = table.columns

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each run, by number: changes, figures, limits, exit code and message. `attrs["units"]` has the units."""
        import pandas as pd

        frame = pd.DataFrame(
            {
                column.name: [
                    (float(row.cells[place]) if row.cells[place] else float("nan")) if column.is_number else row.cells[place]
                    for row in self.rows
                ]
                for place, column in enumerate(self.columns)
            },
            index=pd.Index([row.run for row in self.rows], name="run"),
        )
        frame["exit_code"] = [row.exit_code for row in self.rows]
        frame["message"] = [row.message for row in self.rows]
        frame.attrs["units"] = {column.name: column.unit for column in self.columns}
        return frame

    def __repr__(self) -> str:
        return f"<wattloop.Study '{self.title}' of {len(self.rows)} runs>"


def study(
    file: Path,
    *,
    set: Changes = (),
    events: Iterable[str] = (),
    threads: int = 1,
    on_row: Optional[Callable[[_wattloop.StudyRow], None]] = None,
) -> Study:
    """All runs of a study, `threads` at once; `on_row` sees each row when its run has ended."""
    return Study(_wattloop.study(os.fspath(file), overrides(set), overrides(events), threads, on_row))
