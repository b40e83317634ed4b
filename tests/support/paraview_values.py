"""What ParaView reads from an XDMF file, as JSON: the times, and of each block its cells, its fields, their values at
three times, and the bounds. Run by ParaView's pvpython; READER is XDMFReader, Xdmf3ReaderS or Xdmf3ReaderT.

    pvpython paraview_values.py FILE.xdmf READER OUTPUT.json
"""
import json
import sys

from paraview import servermanager, simple


def leaves(data):
    """All meshes, in their order, through blocks and partitions."""
    if hasattr(data, "GetNumberOfPartitions"):
        pieces = [data.GetPartition(number) for number in range(data.GetNumberOfPartitions())]
    elif hasattr(data, "GetNumberOfBlocks"):
        pieces = [data.GetBlock(number) for number in range(data.GetNumberOfBlocks())]
    else:
        yield data
        return
    for piece in pieces:
        if piece is not None:
            yield from leaves(piece)


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
        for mesh in leaves(servermanager.Fetch(reader)):
            blocks.append({"cells": mesh.GetNumberOfCells(), "points": mesh.GetNumberOfPoints(),
                           "bounds": list(mesh.GetBounds()), "fields": values_of(mesh)})
        frames.append({"time": times[number], "blocks": blocks})
    with open(output, "w", encoding="utf-8") as out:
        json.dump({"reader": reader_name, "times": times, "frames": frames}, out)
    print(reader_name, len(times), "times;", "cells:", *(block["cells"] for block in frames[0]["blocks"]))


main(*sys.argv[1:4])
simple.Disconnect()  # or the end of the program is an X error
