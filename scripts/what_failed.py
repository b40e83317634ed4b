"""What failed in an exported run, when, and which racks came near to a limit: from the exported file alone, by ParaView.

    pvpython scripts/what_failed.py RUN.pvstate.py [MARGIN]

RUN.pvstate.py stands beside the XDMF file that `wattloop export` writes. Racks are listed whose margin to the nearest limit is below MARGIN,
in K; default: 5. Times are those of the frames that were exported: what happens between two of them is seen in the second.
"""
import sys

from paraview import servermanager, simple

FAILED = 2  # of a field "state (1)": 0 off, 1 on, 2 failed, 3 beyond a limit


def opened(file):
    """The blocks with names of their cells, and the times of the frames."""
    state = {"__file__": file}
    with open(file, encoding="utf-8") as text:
        exec(compile(text.read(), file, "exec"), state)
    state["reader"].UpdatePipelineInformation()
    return state["run"], [float(t) for t in state["reader"].TimestepValues]


def cells(block, field):
    """Names and values of the cells of a block; nothing where it does not have the field."""
    arrays = block.GetCellData()
    names, values = arrays.GetAbstractArray("name"), arrays.GetArray(field)
    if not names or not values:
        return []
    return [(names.GetValue(k), values.GetValue(k)) for k in range(block.GetNumberOfCells())]


def blocks_at(run, time_s):
    run.UpdatePipeline(time_s)
    data = servermanager.Fetch(run)
    return {data.GetMetaData(k).Get(data.NAME()): data.GetBlock(k) for k in range(data.GetNumberOfBlocks())}


def main(file, margin="5"):
    least_k = float(margin)
    run, times_s = opened(file)
    failed, near = {}, {}
    for time_s in times_s:
        blocks = blocks_at(run, time_s)
        for block in blocks.values():
            for name, state in cells(block, "state (1)"):
                if state == FAILED and name not in failed:
                    failed[name] = time_s
        for name, margin_k in cells(blocks["racks"], "margin (K)"):
            if margin_k < least_k:
                since_s, worst_s, worst_k = near.get(name, (time_s, time_s, margin_k))
                near[name] = (since_s, worst_s, worst_k) if worst_k <= margin_k else (since_s, time_s, margin_k)
    for name, time_s in sorted(failed.items(), key=lambda one: (one[1], one[0])):
        print(f"failed: {name} at {time_s:g} s")
    for name, (since_s, worst_s, worst_k) in sorted(near.items()):
        print(f"below {least_k:g} K: {name} from {since_s:g} s, least {worst_k:.1f} K at {worst_s:g} s")
    print(f"{len(failed)} failed, {len(near)} racks below {least_k:g} K")


main(*sys.argv[1:])
simple.Disconnect()  # or the end of the program is an X error
