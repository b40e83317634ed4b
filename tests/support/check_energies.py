"""Energies of a summary against sums over the tables of the same file, and against the summary of another file.

check_energies.py FILE [OTHER]

Means times intervals, added up here: nothing of Wattloop computes them. Prints "NAME OF_TABLE OF_OTHER OF_FACILITY" per energy: relative
differences from its table and from the other file, and its share of the facility's energy. Ends 77 where h5py is missing.
"""
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(missing)
    sys.exit(77)


class Results:
    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.summary = {name: value[()] for name, value in self.file["summary"].items()}

    def integral(self, group, column, items=None):
        """Over all items of a column of means, or over those whose names begin so."""
        table = self.file[group]
        values = np.asarray(table[column][:], dtype=float)
        assert table[column].attrs["cell_methods"] in ("time: mean", b"time: mean"), (group, column)
        if values.ndim == 2:
            if items is not None:
                names = [name.decode() for name in table[items[0]][:]]
                values = values[:, [number for number, name in enumerate(names) if name.startswith(items[1])]]
            values = values.sum(axis=1)
        return float((values[1:] * np.diff(table["time"][:])).sum())

    def of_tables(self):
        """Energies by name, as the tables have them."""
        facility = self.file["facility"]
        found = {"facility_energy": self.integral("facility", "power"),
                 "rejected_energy": self.integral("facility", "heat_rejected"),
                 "electrical_loss_energy": self.integral("facility", "electrical_loss")}
        for column in facility:
            name = column[:-len("_power")] + "_energy"
            if column.endswith("_power") and column != "battery_power" and name in self.summary:
                found[name] = self.integral("facility", column)
        if "battery_power" in facility:
            found["battery_energy"] = -self.integral("facility", "battery_power")
        found["pdu_loss_energy"] = self.integral("feeders", "loss", ("feeder", "pdu"))
        found["ups_loss_energy"] = self.integral("ups", "loss")
        found["transformer_loss_energy"] = (self.integral("feeders", "loss", ("feeder", "transformer")) +
                                            self.integral("feeders", "loss", ("feeder", "substation")))
        if len(self.file["racks/time"]) == len(facility["time"]):
            found["node_energy by racks"] = self.integral("racks", "it_power")
        return found


def relative(value, other):
    return (value - other) / other if other else value


def main():
    ours = Results(sys.argv[1])
    theirs = Results(sys.argv[2]) if len(sys.argv) > 2 else ours
    facility_j = ours.summary["facility_energy"]
    for name, of_table in ours.of_tables().items():
        energy_j = ours.summary[name.split()[0]]
        print(name.replace(" ", "_"), f"{relative(energy_j, of_table):.2e}",
              f"{relative(energy_j, theirs.summary[name.split()[0]]):.2e}", f"{energy_j / facility_j:.3e}")


main()
