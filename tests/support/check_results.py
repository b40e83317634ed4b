#!/usr/bin/python3
"""Checks that a results file opens in Python as promised: every group, in both netCDF engines of xarray, with warnings
as errors; in h5py; and in ncdump. Exit code 0: it does, 1: it does not, 77: xarray or one of its engines is missing.

    check_results.py results/one_rack.h5
"""
import shutil
import subprocess
import sys
import warnings

warnings.simplefilter("error")

try:
    import h5py
    import h5netcdf  # noqa: F401
    with warnings.catch_warnings():  # about numpy's ABI, from the import alone
        warnings.simplefilter("ignore")
        import netCDF4  # noqa: F401
    import numpy
    import xarray
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def stored_variables(group):
    """Datasets of a group, without the empty scales of dimensions that have no values."""
    mark = b"This is a netCDF dimension but not a netCDF variable"
    return {name: dataset for name, dataset in group.items() if not dataset.attrs.get("NAME", b"").startswith(mark)}


def check_stored(name, group):
    for variable, dataset in stored_variables(group).items():
        where = f"{name}/{variable}"
        is_scale = dataset.attrs.get("CLASS", b"") == b"DIMENSION_SCALE"
        if not is_scale:
            for axis, dimension in enumerate(dataset.dims):
                expect(len(dimension) == 1, f"{where}: axis {axis} has {len(dimension)} scales")
        if name == "provenance":
            continue
        expect(is_scale or "long_name" in dataset.attrs, f"{where}: no long_name")
        is_number = dataset.dtype.kind == "f" and not is_scale
        expect(not is_number or "units" in dataset.attrs, f"{where}: no units")


def check_bounds(name, group):
    """CF: the interval of each record ends at its time, and begins at that of the record before."""
    time, bounds = group["time"], group["time_bnds"]
    text = time.attrs["bounds"]
    expect((text.decode() if isinstance(text, bytes) else text) == "time_bnds", f"{name}: time names no bounds")
    expect(numpy.array_equal(bounds[:, 1], time[:]), f"{name}: intervals do not end at their time")
    expect(numpy.array_equal(bounds[1:, 0], time[:-1]), f"{name}: intervals do not begin where those before end")
    expect(len(time) == 0 or bounds[0, 0] == time[0], f"{name}: the first record has an interval")


def check_opened(engine, name, opened, group):
    stored = stored_variables(group)
    missing = set(stored) - set(opened.variables)
    expect(not missing, f"{engine} {name}: left out {sorted(missing)}")
    for variable, values in opened.variables.items():
        where = f"{engine} {name}/{variable}"
        expect(values.dtype.kind != "m", f"{where}: became time differences")
        expect(not any(size.startswith("phony") for size in values.dims), f"{where}: phony dimensions")
        if variable in ("time", "time_bnds"):
            expect(values.dtype.kind == "M", f"{where}: not decoded as time, but {values.dtype}")
            continue
        raw = stored[variable][()]
        if values.dtype.kind == "f":
            expect(numpy.array_equal(values.values, raw, equal_nan=True), f"{where}: other values than h5py")
        elif values.dtype.kind == "O" and values.ndim > 0:
            texts = [b"".join(v) for v in raw] if raw.ndim == 2 else raw  # characters, or of variable length
            expect([str(v) for v in values.values] == [v.decode() for v in texts], f"{where}: other texts than h5py")
    for coordinate in opened.indexes:
        expect(opened.indexes[coordinate].is_unique or coordinate == "time", f"{engine} {name}/{coordinate}: not unique")


def main(file):
    with h5py.File(file) as opened:
        groups = list(opened)
        expect(opened.attrs["Conventions"] == b"CF-1.10" or opened.attrs["Conventions"] == "CF-1.10", "no Conventions")
        for name in groups:
            check_stored(name, opened[name])
            if "time" in opened[name] and name != "events":
                check_bounds(name, opened[name])
    for engine in ("netcdf4", "h5netcdf"):
        for name in groups:
            try:
                with xarray.open_dataset(file, group=name, engine=engine) as opened:
                    opened.load()
                with h5py.File(file) as stored:
                    check_opened(engine, name, opened, stored[name])
                if name == "events":
                    opened.to_dataframe()
            except Exception as error:  # a warning is one, too
                problems.append(f"{engine} {name}: {type(error).__name__}: {error}")
    if shutil.which("ncdump"):
        dump = subprocess.run(["ncdump", "-h", file], capture_output=True, text=True)
        expect(dump.returncode == 0 and not dump.stderr, f"ncdump: {dump.stderr.strip()}")
        for name in groups:
            expect(f"group: {name} {{" in dump.stdout, f"ncdump: no group {name}")
    for problem in problems:
        print(problem)
    print(f"{file}: {len(groups)} groups, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
