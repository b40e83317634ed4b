"""What ParaView reads from an XDMF file, as JSON: the times, and of each block its cells, its fields, their values at
three times, and the bounds. Run by ParaView's pvpython; READER is XDMFReader, Xdmf3ReaderS or Xdmf3ReaderT.

    pvpython paraview_values.py FILE.xdmf READER OUTPUT.json
"""
import json
import sys

from paraview import servermanager, simple


def leaves(data, name=""):
    """Meshes with their names, through blocks and partitions."""
    if hasattr(data, "GetNumberOfPartitions"):  # pieces without names
        for piece in range(data.GetNumberOfPartitions()):
            yield f"{name or 'piece'}_{piece}", data.GetPartition(piece)
        return
    if not hasattr(data, "GetNumberOfBlocks"):
        yield name, data
        return
    for number in range(data.GetNumberOfBlocks()):
        block = data.GetBlock(number)
        if block is None:
            continue
        key = block.NAME() if hasattr(block, "NAME") else None
        label = data.GetMetaData(number).Get(key) if key and data.HasMetaData(number) else f"{name}_{number}"
        yield from leaves(block, label or f"{name}_{number}")


def values_of(mesh):
    arrays = mesh.GetCellData()
    return {
        arrays.GetArrayName(a): [arrays.GetArray(a).GetValue(cell) for cell in range(mesh.GetNumberOfCells())]
        for a in range(arrays.GetNumberOfArrays())
    }


def main(file, reader_name, output):
    make = getattr(simple, reader_name)
    argument = "FileNames" if reader_name == "XDMFReader" else "FileName"
    reader = make(**{argument: [file]})
    reader.UpdatePipelineInformation()
    times = [float(t) for t in reader.TimestepValues]
    shown = sorted({0, len(times) // 2, len(times) - 1})
    frames = []
    for number in shown:
        reader.UpdatePipeline(times[number])
        blocks = []
        for name, mesh in leaves(servermanager.Fetch(reader)):
            blocks.append({"name": name, "cells": mesh.GetNumberOfCells(), "points": mesh.GetNumberOfPoints(),
                           "bounds": list(mesh.GetBounds()), "fields": values_of(mesh)})
        frames.append({"time": times[number], "blocks": blocks})
    with open(output, "w", encoding="utf-8") as out:
        json.dump({"reader": reader_name, "times": times, "frames": frames}, out)
    print(reader_name, len(times), "times;", ", ".join(f"{b['name']} {b['cells']}" for b in frames[0]["blocks"]))


main(*sys.argv[1:4])
simple.Disconnect()  # or the end of the program is an X error
