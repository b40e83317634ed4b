#!/usr/bin/python3
"""Checks an XDMF file against the results file it refers to, by rules of its own: every reference names a dataset of the
stated shape and type, every hyperslab lies in it, says the same in both its spellings, and is what was recorded of
these components nearest to that time. With VALUES.json, what ParaView read (paraview_values.py) is compared with what
h5py reads. Exit code 0: all is well, 1: it is not, 77: h5py is missing.

    check_xdmf.py FILE.xdmf [VALUES.json ...]
"""
import json
import os
import re
import sys
import xml.etree.ElementTree as xml

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

GROUPS = {"racks": "racks", "gpus": "gpus", "cdus": "cdus", "network_racks": "network", "crahs": "crahs",
          "chillers": "chillers", "towers": "towers", "ups": "ups", "substations": "feeders",
          "transformers": "feeders", "pdus": "feeders", "generators": "generators",
          "supply_pipes": "loops", "return_pipes": "loops"}
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def numbers(text):
    return [int(word) for word in text.split()]


class Results:
    """The files that are referred to; their datasets are read once."""

    def __init__(self, xdmf_file):
        self.folder = os.path.dirname(os.path.abspath(xdmf_file))
        self.files = {}
        self.values = {}

    def dataset(self, reference):
        name, path = reference.split(":", 1)
        if name not in self.files:
            self.files[name] = h5py.File(os.path.join(self.folder, name), "r")
        if reference not in self.values:
            self.values[reference] = self.files[name][path][()]
        return self.values[reference]

    def only_file(self):
        assert len(self.files) == 1
        return next(iter(self.files.values()))


def check_whole(item, results):
    """A reference to a whole dataset; returns the dataset."""
    expect(item.text == item.text.strip(), f"{item.text!r}: blanks around a reference")
    data = results.dataset(item.text)
    expect(list(data.shape) == numbers(item.get("Dimensions")), f"{item.text}: is {data.shape}, not as stated")
    expect(data.dtype.kind == item.get("NumberType")[0].lower(), f"{item.text}: is {data.dtype}")
    expect(data.dtype.itemsize == int(item.get("Precision")), f"{item.text}: is {data.dtype}")
    return data


def check_slab(item, results):
    """A hyperslab in both spellings; returns dataset, row, first item, number of items."""
    expect(item.get("ItemType") == "Hyperslab", "a hyperslab that a reader does not know")
    pattern = r"([^|]+)\|(\d+) (\d+):1 1:1 (\d+):(\d+) (\d+)"
    found = re.fullmatch(pattern, item.text)
    expect(found, f"{item.text!r}: not of the form of a hyperslab")
    row, first, count, rows, items = (int(n) for n in found.groups()[1:])
    extent, whole = item
    data = check_whole(whole, results)
    expect(whole.text == found.group(1), f"{item.text}: two datasets")
    expect(numbers(extent.text) == [row, first, 1, 1, 1, count], f"{item.text}: two extents")
    expect([rows, items] == list(data.shape), f"{item.text}: not the shape {data.shape}")
    expect(row < rows and first + count <= items, f"{item.text}: outside of the dataset")
    expect(numbers(item.get("Dimensions")) == [1, count], f"{item.text}: stated as {item.get('Dimensions')}")
    return data, row, first, count


def text(values):
    return [v.decode() if isinstance(v, bytes) else str(v) for v in values]


class Expected:
    """What should be shown of a block, found from names and times alone."""

    def __init__(self, file):
        self.groups = {}
        for name in file:
            self.groups[name] = {variable: data[()] for variable, data in file[name].items()}
        self.units = {name: {variable: text([data.attrs.get("units", b"")])[0] for variable, data in group.items()}
                      for name, group in file.items()}
        layout = self.groups["layout"]
        kinds, parents = text(layout["kind"]), text(layout["parent"])
        self.names = {}
        for name, kind, parent in zip(text(layout["component"]), kinds, parents):
            shown = self.names.setdefault(kind + ("" if kind == "ups" else "s"), [])
            if not kind.endswith("_pipe"):
                shown.append(name)
            elif parent not in shown:
                shown.append(parent)

    def row(self, group, time):
        return int(numpy.argmin(abs(self.groups[group]["time"] - time)))

    def values(self, block, field, time):
        group = self.groups[GROUPS[block]]
        column, unit = re.fullmatch(r"(.*) \((.*)\)", field).groups()
        if column == "temperature" and column not in group:
            column = "supply_temperature" if block == "supply_pipes" else "return_temperature"
        expect(self.units[GROUPS[block]][column] == unit, f"{block}: {field}: another unit")
        values = group[column][self.row(GROUPS[block], time)]
        dimension = next(name for name in group if name != "time" and len(group[name].shape) == 1)
        items = group[dimension]
        if items.dtype.kind == "i":
            return values
        place = {name: number for number, name in enumerate(text(items))}
        return numpy.array([values[place[name]] for name in self.names[block]])


def check_file(file):
    results = Results(file)
    run = xml.parse(file).getroot().find("Domain/Grid")
    slabs = 0
    blocks, expected = [], None
    for frame in run:
        time = float(frame.find("Time").get("Value"))
        blocks = frame.findall("Grid")
        for block in blocks:
            name = block.get("Name")
            topology = block.find("Topology")
            connections = check_whole(topology.find("DataItem"), results)
            points = check_whole(block.find("Geometry/DataItem"), results)
            cells = int(topology.get("NumberOfElements"))
            if expected is None:
                expected = Expected(results.only_file())
            expect(cells == len(expected.names[name]), f"{name}: {cells} cells")
            if frame is run[0] and topology.get("TopologyType") == "Hexahedron":
                expect(connections.shape == (cells, 8) and points.shape == (8 * cells, 3), f"{name}: shape of cells")
                expect(int(connections.max()) == points.shape[0] - 1, f"{name}: corners without points")
            for attribute in block.findall("Attribute"):
                data, row, first, count = check_slab(attribute.find("DataItem"), results)
                expect(count == cells, f"{name}: {count} values on {cells} cells")
                shown = data[row, first:first + count]
                wanted = expected.values(name, attribute.get("Name"), time)
                expect(numpy.array_equal(shown, wanted, equal_nan=True),
                       f"{name}: {attribute.get('Name')} at {time} s is not what was recorded")
                slabs += 1
    times = [float(frame.find("Time").get("Value")) for frame in run]
    expect(times == sorted(set(times)), "times do not rise")
    print(f"{file}: {len(times)} times, {len(blocks)} blocks, {slabs} hyperslabs, {len(problems)} problems")
    return run, times, expected


def check_values(values_file, run, times, expected):
    with open(values_file, encoding="utf-8") as opened:
        seen = json.load(opened)
    reader = seen["reader"]
    expect(seen["times"] == times, f"{reader}: other times")
    expect(len(seen["frames"]) == min(len(times), 3), f"{reader}: {len(seen['frames'])} frames")
    compared = 0
    for frame in seen["frames"]:
        blocks = run[times.index(frame["time"])].findall("Grid")
        expect(len(blocks) == len(frame["blocks"]), f"{reader}: {len(frame['blocks'])} blocks")
        for block, shown in zip(blocks, frame["blocks"]):
            name = block.get("Name")
            expect(shown["cells"] == len(expected.names[name]), f"{reader}: {name}: {shown['cells']} cells")
            fields = {attribute.get("Name") for attribute in block.findall("Attribute")}
            expect(fields == set(shown["fields"]), f"{reader}: {name}: fields {sorted(shown['fields'])}")
            for field, values in shown["fields"].items():
                wanted = expected.values(name, field, frame["time"])
                same = numpy.array_equal(numpy.array(values, dtype="float32"), wanted, equal_nan=True)
                expect(same, f"{reader}: {name}: {field} at {frame['time']} s: other values")
                compared += len(values)
    print(f"{reader}: {len(seen['times'])} times, {compared} values compared, {len(problems)} problems")


def main(file, *values_files):
    run, times, expected = check_file(file)
    for values_file in values_files:
        check_values(values_file, run, times, expected)
    for problem in dict.fromkeys(problems):
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
