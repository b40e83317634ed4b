#!/usr/bin/python3
"""Checks an XDMF file against the results file it refers to, by rules of its own: every reference names a dataset of the
stated shape and type, every hyperslab lies in it and is what was recorded of these components nearest to that time, in
degC where it is kept in K, and blocks keep their names. With VALUES.json, what ParaView read (paraview_values.py) is compared with what
h5py reads. Exit code 0: all is well, 1: it is not, 77: h5py is missing.

    check_xdmf.py FILE.xdmf2 [VALUES.json ...]
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
          "supply_pipes": "loops", "return_pipes": "loops", "motors": "motors", "breakers": "breakers"}
NUMBERS = ("row", "rack", "node")  # arrays that the state makes of names
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
    """A hyperslab, perhaps less what 0 degC is in K; returns dataset, row, first item, number of items, what is added."""
    added = 0.0
    if item.get("ItemType") == "Function":
        found = re.fullmatch(r"\$0 ([+-]) ([0-9.]+)", item.get("Function"))
        expect(found, f"{item.get('Function')!r}: not a sum")
        added = float(found.group(1) + found.group(2))
        outer, (item,) = item, item
        expect(outer.get("Dimensions") == item.get("Dimensions"), f"{item.get('Dimensions')}: another shape outside")
    expect(item.get("ItemType") == "HyperSlab", "a hyperslab that the reader does not know")
    extent, whole = item
    data = check_whole(whole, results)
    row, first, *strides, one, count = numbers(extent.text)
    expect(strides == [1, 1] and one == 1, f"{extent.text}: not a row")
    expect(row < data.shape[0] and first + count <= data.shape[1], f"{whole.text} {extent.text}: outside of the dataset")
    expect(numbers(item.get("Dimensions")) == [1, count], f"{whole.text}: stated as {item.get('Dimensions')}")
    return data, row, first, count, added


def text(values):
    if getattr(values, "ndim", 1) == 2:  # characters
        values = [b"".join(characters) for characters in values]
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
        for name, kind, parent in zip(text(layout["name"]), kinds, parents):
            shown = self.names.setdefault(kind + ("" if kind == "ups" else "s"), [])
            if not kind.endswith("_pipe"):
                shown.append(name)
            elif parent not in shown:
                shown.append(parent)

        for block, item in (("motors", "motor"), ("breakers", "breaker")):
            if block in self.groups:
                self.names[block] = text(self.groups[block][item])

    def margins(self, time):
        """Of each rack the least difference to a limit that is one; limits have an order of their own."""
        racks, limits = self.groups["racks"], self.groups["rack_limits"]
        place = [text(limits["rack"]).index(name) if name in text(limits["rack"]) else None for name in self.names["racks"]]
        margins = []
        for number, of in enumerate(place):
            apart = [float(limits[column][0][of]) - float(racks[column][self.row("racks", time)][number])
                     for column in ("max_die_temperature", "inlet_air_temperature", "return_temperature")
                     if of is not None and column in limits and column in racks]
            apart = [one for one in apart if one == one]
            margins.append(min(apart) if apart else float("nan"))
        return numpy.array(margins)

    def states(self, block, time):
        """2 where all motors of a part, or else breakers, have failed, 1 where one is on."""
        for group, item in (("motors", "motor"), ("breakers", "breaker")):
            if group not in self.groups:
                continue
            now = self.groups[group]["state"][self.row(group, time)]
            names = text(self.groups[group][item])
            of = [[now[k] for k, one in enumerate(names) if one == part or one.rsplit(".", 1)[0] == part]
                  for part in self.names[block]]
            if any(of):
                return numpy.array([float("nan") if not own else 2.0 if min(own) == 2 else float(1 in own) for own in of])
        return None

    def row(self, group, time):
        return int(numpy.argmin(abs(self.groups[group]["time"] - time)))

    def values(self, block, field, time):
        if block == "racks" and field == "margin (K)":
            return self.margins(time)
        if field == "state (1)" and block not in ("motors", "breakers"):
            return self.states(block, time)
        if field in NUMBERS:
            return numpy.array([int(re.search(field + "_([0-9]+)", name).group(1)) for name in self.names[block]])
        group = self.groups[GROUPS[block]]
        column, unit = re.fullmatch(r"(.*) \((.*)\)", field).groups()
        if column == "temperature" and column not in group:
            column = "supply_temperature" if block == "supply_pipes" else "return_temperature"
        kept = self.units[GROUPS[block]][column]
        expect(unit == ("degC" if kept == "K" else kept), f"{block}: {field}: another unit")
        values = group[column][self.row(GROUPS[block], time)]
        if kept == "K":
            values = values.astype("float64") - 273.15
        dimension = next(name for name in group if name not in ("time", "bnds") and len(group[name].shape) == 1)
        items = group[dimension]
        if items.dtype.kind == "i":
            return values
        place = {name: number for number, name in enumerate(text(items))}
        return numpy.array([values[place[name]] for name in self.names[block]])


def same(shown, wanted):
    """Equal, but for what single precision leaves of 300 K in degC."""
    shown, wanted = numpy.asarray(shown, dtype="float64"), numpy.asarray(wanted, dtype="float64")
    return shown.shape == wanted.shape and bool(numpy.all(
        (numpy.isnan(shown) & numpy.isnan(wanted)) | (abs(shown - wanted) <= 4e-5 + 1e-7 * abs(wanted))))


def check_file(file):
    results = Results(file)
    domain = xml.parse(file).getroot().find("Domain")
    slabs, times, expected = 0, None, None
    for block in domain:
        name = block.get("Name")
        frames = block.findall("Grid")
        expect(block.get("CollectionType") == "Temporal", f"{name}: is not a collection over time")
        expect({frame.get("Name") for frame in frames} == {name}, f"{name}: changes its name")
        own_times = [float(frame.find("Time").get("Value")) for frame in frames]
        times = own_times if times is None else times
        expect(own_times == times, f"{name}: has times of its own")
        for frame in frames:
            time = float(frame.find("Time").get("Value"))
            topology = frame.find("Topology")
            is_points = topology.get("TopologyType") == "Polyvertex"
            if is_points:
                points = numpy.array([float(word) for word in frame.find("Geometry/DataItem").text.split()])
                expect(len(points) == 3 * int(topology.get("NumberOfElements")), f"{name}: {len(points)} coordinates")
            else:
                connections = check_whole(topology.find("DataItem"), results)
                points = check_whole(frame.find("Geometry/DataItem"), results)
            cells = int(topology.get("NumberOfElements"))
            if expected is None:
                expected = Expected(results.only_file())
            expect(cells == len(expected.names[name]), f"{name}: {cells} cells")
            if frame is frames[0] and topology.get("TopologyType") == "Hexahedron":
                expect(connections.shape == (cells, 8) and points.shape == (8 * cells, 3), f"{name}: shape of cells")
                expect(int(connections.max()) == points.shape[0] - 1, f"{name}: corners without points")
            for attribute in frame.findall("Attribute"):
                item = attribute.find("DataItem")
                if item.get("Format") == "XML":
                    shown = numpy.array([float(word) for word in item.text.split()])
                    count = len(shown)
                else:
                    data, row, first, count, added = check_slab(item, results)
                    shown = data[row, first:first + count].astype("float64") + added
                expect(count == cells, f"{name}: {count} values on {cells} cells")
                wanted = expected.values(name, attribute.get("Name"), time)
                expect(same(shown, wanted), f"{name}: {attribute.get('Name')} at {time} s is not what was recorded")
                slabs += 1
    expect(times == sorted(set(times)), "times do not rise")
    print(f"{file}: {len(times)} times, {len(domain)} blocks, {slabs} hyperslabs, {len(problems)} problems")
    return domain, times, expected


def check_values(values_file, domain, times, expected):
    with open(values_file, encoding="utf-8") as opened:
        seen = json.load(opened)
    reader = seen["reader"]
    expect(seen["times"] == times, f"{reader}: other times")
    expect(len(seen["frames"]) == min(len(times), 3), f"{reader}: {len(seen['frames'])} frames")
    compared = named = 0
    for frame in seen["frames"]:
        expect([block.get("Name") for block in domain] == [shown["name"] for shown in frame["blocks"]],
               f"{reader}: other blocks at {frame['time']} s: {[shown['name'] for shown in frame['blocks']]}")
        for block, shown in zip(domain, frame["blocks"]):
            name = block.get("Name")
            expect(shown["cells"] == len(expected.names[name]), f"{reader}: {name}: {shown['cells']} cells")
            fields = {attribute.get("Name") for attribute in block.find("Grid").findall("Attribute")}
            expect(fields == set(shown["fields"]) - set(NUMBERS), f"{reader}: {name}: fields {sorted(shown['fields'])}")
            for field, values in shown["fields"].items():
                expect(same(values, expected.values(name, field, frame["time"])),
                       f"{reader}: {name}: {field} at {frame['time']} s: other values")
                compared += len(values)
            if shown["names"]:
                expect(shown["names"] == expected.names[name], f"{reader}: {name}: other names")
                named += len(shown["names"])
    print(f"{reader}: {len(seen['times'])} times, {compared} values compared, {named} names, {len(problems)} problems")


def main(file, *values_files):
    domain, times, expected = check_file(file)
    for values_file in values_files:
        check_values(values_file, domain, times, expected)
    for problem in dict.fromkeys(problems):
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
