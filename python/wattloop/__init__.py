"""Digital twin of a GPU training hall, from the utility feed to the chip and out to the sky. Guide: docs/python.md.

    import wattloop as wl
    hall = wl.Hall("scenarios/h100_10k.yaml", set={"duration": "1 h"})
    hall.advance("10 min")
    lost = hall.fork()
    lost.act("fail: cdu_3")
    lost.advance("10 min")
    print(lost.events)

Numbers are SI, times are seconds from the start of the scenario. A hall is used by one thread at a time.
"""

from ._errors import Error, FileError, InputError, SolverError, UsageError
from ._wattloop import Event, Input, Part, Problem, Series, SeriesInfo, built_for, instructions, version
from ._halls import Hall
from ._runs import Results, Study, open, run, study
from .environment import Environment

if version() != built_for:
    raise ImportError(
        f"this package is of Wattloop {built_for}, the library that was found is of {version()}: install both from one build"
    )

__version__ = version()
__all__ = [
    "Environment", "Error", "Event", "FileError", "Hall", "Input", "InputError", "Part", "Problem", "Results", "Series",
    "SeriesInfo", "SolverError", "Study", "UsageError", "instructions", "open", "run", "study", "version",
]
