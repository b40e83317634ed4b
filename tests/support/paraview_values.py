"""What ParaView shows of an exported run, as JSON: the times, and of each block its name, its cells, its fields and their values
at three times, and the names of its cells. Run by ParaView's pvpython on an XDMF file or on the state beside it, which is then drawn, too.

    pvpython paraview_values.py FILE.xdmf2|FILE.pvstate.py OUTPUT.json [PICTURE.png]
"""
import json
import sys

from paraview import servermanager, simple


def values_of(mesh):
    arrays = mesh.GetCellData()
    return {
        arrays.GetArrayName(a): [arrays.GetArray(a).GetValue(cell) for cell in range(mesh.GetNumberOfCells())]
        for a in range(arrays.GetNumberOfArrays()) if arrays.GetArray(a)
    }


def names_of(mesh):
    names = mesh.GetCellData().GetAbstractArray("name")
    return [names.GetValue(cell) for cell in range(mesh.GetNumberOfCells())] if names else []


def opened(file):
    """The reader and what is shown of it."""
    if not file.endswith(".py"):
        reader = simple.XDMFReader(FileNames=[file])
        return reader, reader
    state = {"__file__": file}
    with open(file, encoding="utf-8") as text:
        exec(compile(text.read(), file, "exec"), state)
    return state["reader"], state["run"]


def looks_of(shown):
    """Of each source that is coloured: by what, over which range, and whether it is seen."""
    looks = {}
    view = simple.GetActiveView()
    for (name, _), source in simple.GetSources().items():
        display = simple.GetRepresentation(source, view) if view else None
        if display is None or not hasattr(display, "ColorArrayName"):
            continue
        table = display.LookupTable
        points = list(table.RGBPoints) if table else []
        looks[name] = {"field": list(display.ColorArrayName), "seen": bool(display.Visibility),
                       "range": [points[0], points[-4]] if points else []}
    return looks


def main(file, output, picture=None):
    reader, shown = opened(file)
    reader.UpdatePipelineInformation()
    times = [float(t) for t in reader.TimestepValues]
    frames = []
    for number in sorted({0, len(times) // 2, len(times) - 1}):
        shown.UpdatePipeline(times[number])
        data = servermanager.Fetch(shown)
        blocks = []
        for k in range(data.GetNumberOfBlocks()):
            mesh = data.GetBlock(k)
            blocks.append({"name": data.GetMetaData(k).Get(data.NAME()), "cells": mesh.GetNumberOfCells(),
                           "fields": values_of(mesh), "names": names_of(mesh)})
        frames.append({"time": times[number], "blocks": blocks})
    is_state = file.endswith(".py")
    opened_at = simple.GetAnimationScene().AnimationTime if is_state else None
    if picture and is_state:  # before looks are asked for: this would show what is hidden
        simple.GetAnimationScene().AnimationTime = times[-1]
        simple.SaveScreenshot(picture, simple.GetActiveView(), ImageResolution=[800, 500])
    notes = {}
    for name in ("time", "events") if is_state else ():
        note = simple.FindSource(name)
        note.UpdatePipeline(times[-1])
        notes[name] = servermanager.Fetch(note).GetRowData().GetAbstractArray(0).GetValue(0)
    looks = looks_of(shown) if is_state else {}
    with open(output, "w", encoding="utf-8") as out:
        json.dump({"reader": file.rsplit(".", 1)[-1], "times": times, "frames": frames, "looks": looks,
                   "opened_at": opened_at, "notes": notes}, out)
    print(len(times), "times;", "cells:", *(block["cells"] for block in frames[0]["blocks"]))


main(*sys.argv[1:])
simple.Disconnect()  # or the end of the program is an X error
