#!/usr/bin/python3
"""Follows a page as its reader would: types what it says to type, compares what comes with what it shows.

    follow.py PROGRAM PAGE.md      exit code 0: true, 1: not, 77: a Python package that readers are told of is missing

Understood are blocks `console` (`$ command`, then its output; a line `...` stands for any lines), `python` (kept under
the name that the next command runs), `yaml` (a part of a scenario, checked over the base that its page is about), tables
of quantities and of what events can name, and `wattloop explain NAME` anywhere. Wall times are not compared.
"""
import os
import re
import shutil
import subprocess
import sys

from reader import SOURCE, Blocks, Folder, compare, follow_session, problems, rows_of_table, wrong
from tutorial import files_of

PYTHON = "/usr/bin/python3"


def need_results(folder, name, arguments):
    code, output = folder.run(f"wattloop run {arguments} -o results/{name}.h5 -q")
    if code != 0:
        wrong(f"wattloop run {arguments}: {output}")


def follow_views(page, folder):
    need_results(folder, "one_rack", "scenarios/one_rack.yaml")
    follow_session(page, folder)
    for picture in ("one_rack.png", "one_rack.xdmf2", "one_rack.pvstate.py"):
        if not (folder.now / "results" / picture).is_file():
            wrong(f"{page.name}: no results/{picture}")


def check_datasets(page, folder):
    """The table of what is recorded holds each dataset of a hall that has everything, and no other."""
    need_results(folder, "whole", "scenarios/h100_10k.yaml --set 'duration=15 s' --set power.flow=radial "
                                  "--set hall.network.traffic=null --set hall.network.kind=fat_tree")
    (folder.now / "names.py").write_text("import sys, xarray\nfor group in sys.argv[2:]:\n"
                                         "  print(group, *xarray.open_dataset(sys.argv[1], group=group).data_vars)\n")
    rows = {row[0].strip("`"): set(re.findall(r"`(\w+)`", row[2])) for row in rows_of_table(page, "group | dimension")}
    rows.pop("gpus")  # as asked for
    rows.pop("economisers")  # of halls that have one
    _, output = folder.run(f"{PYTHON} names.py results/whole.h5 {' '.join(rows)}")
    for line in output.splitlines():
        group, *names = line.split()
        told = rows.get(group, set()) - {"facility", "chilled_water"}
        names = set(names) - {"time_bnds"}  # of every table
        if told != names:
            wrong(f"{page.name}: {group} has {sorted(names - told)} more and {sorted(told - names)} less than told")


def follow_results_format(page, folder):
    """The lines of Python on a file with and one without events, and on one that was not finished."""
    check_datasets(page, folder)
    need_results(folder, "plain", "scenarios/one_rack.yaml --set 'duration=5 min'")
    need_results(folder, "events", "scenarios/pump_failure/a_pump_trips.yaml")
    shutil.copy(folder.now / "results/plain.h5", folder.now / "results/left.partial.h5")
    (folder.now / "ten.py").write_text("\n".join(page.of("python")[0][1]) + "\n")
    for name in ("plain.h5", "events.h5", "left.partial.h5"):
        code, output = folder.run(f"{PYTHON} -W error ten.py results/{name}")
        if code != 0 or "PUE 1." not in output or "row_1.rack_1" not in output:
            wrong(f"{page.name}: the lines of Python on {name} end with {code}:\n{output[-1500:]}")


def check_over(place, folder, base, lines):
    """A part of a scenario over a whole one; one about equipment over a quarter of its racks, or searches with some of it out take half a minute."""
    text = [line for line in lines if not line.startswith(("extends:", "format:"))]
    (folder.now / "part.yaml").write_text(f"format: 1\nextends: scenarios/{base}\n" + "\n".join(text) + "\n")
    code, output = folder.run("wattloop check part.yaml" + (" --set hall.racks.count=40" if {"power:", "parts:"} & set(text) else ""))
    if code != 0:
        wrong(f"{place}: over {base}:\n{output[:3000]}")


def follow_fragments(page, folder, base="h100_10k.yaml", replay_base="one_rack.yaml"):
    """Every `yaml` block over its base; files that it names are made."""
    rows = "".join(f"{second},5000,5200\n" for second in range(60))
    for name in ("traces/node_power.csv", "node_power.csv"):
        (folder.now / name).parent.mkdir(exist_ok=True)
        (folder.now / name).write_text("seconds,node_1,node_2\n" + rows)
    cdus = [f"cdu{number}_kW" for number in range(1, 5)]
    hours = "".join(f"{3600 * hour},14,32," + ",".join(["100"] * len(cdus)) + "\n" for hour in range(25))
    (folder.now / "plant.csv").write_text(f"seconds,wetbulb_C,supply_C,{','.join(cdus)}\n" + hours)
    gpus = [f"row_{row}.rack_{rack}.node_{node}.gpu_{gpu}" for row in range(1, 9) for rack in range(1, 21) for node in range(1, 9) for gpu in range(1, 9)]
    (folder.now / "watts.csv").write_text("t_s," + ",".join(gpus) + "\n0," + ",".join(["400"] * len(gpus)) + "\n")
    (folder.now / "site.epw").write_text("\n".join(epw_hours()) + "\n")
    folder.environment["TRACES"] = str(folder.now)
    for _, lines, first in page.of("yaml"):
        text = "\n".join(lines)
        over = re.search(r"^extends: (\S+)", text, re.MULTILINE)
        of_one = re.search(r"hgx_h100|^workload|^record", text, re.MULTILINE)
        check_over(f"{page.name}:{first}", folder, over.group(1) if over else replay_base if of_one else base, lines)


def epw_hours():
    """A year of 10 degC in the form of EnergyPlus."""
    head = ["LOCATION,Nowhere,-,-,-,0,39.0,-77.0,-5.0,100.0", "DESIGN CONDITIONS,0", "TYPICAL/EXTREME PERIODS,0",
            "GROUND TEMPERATURES,0", "HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0", "COMMENTS 1,-", "COMMENTS 2,-",
            "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31"]
    days = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    for month, count in enumerate(days, 1):
        for day in range(1, count + 1):
            for hour in range(1, 25):
                head.append(f"2020,{month},{day},{hour},0,-,10.0,5.0,71,100000" + ",0" * 25)
    return head


#  Rows of the table of quantities, and a key of that kind to try them with.
KEYS = {"absolute temperature": "hall.cooling.loops.supply_temperature", "power": "hall.racks.with.nameplate",
        "apparent, reactive power": "power.transformers.with.rated_power", "ratio": "hall.cooling.loops.pump_speed",
        "count, flag": "hall.racks.nodes"}


def quantity_problem(folder, key, value):
    """What `check` says of a value at a key; only what it says of the value's unit."""
    _, output = folder.run(f"wattloop check scenarios/one_rack.yaml --set \"{key}={value}\"")
    return [line for line in output.splitlines() if re.search(r"is in |has no unit|is a temperature|is ambiguous|unknown unit|not a whole number", line)]


def follow_quantities(page, folder):
    for row in rows_of_table(page, "what"):
        if (key := KEYS.get(row[0])) is None:
            continue
        for value in re.findall(r"`([^`]+)`", row[1]):
            if value.endswith("var") or value in ("true", "yes"):
                continue  # nothing that can be tried is reactive; a flag is no count
            if said := quantity_problem(folder, key, value):
                wrong(f"{page.name}: {row[0]} may not be '{value}': {said[0]}")
        for value in re.findall(r"`([^`]+)`", row[2]):
            if value != "yes" and not quantity_problem(folder, key, value):
                wrong(f"{page.name}: {row[0]} may be '{value}'")


def events_in(folder, event):
    """How many events a check of the reference hall counts."""
    code, output = folder.run(f"wattloop check scenarios/h100_10k.yaml --event '{event}'")
    count = re.search(r", (\d+) events? over ", output)
    if code != 0 or not count:
        wrong(f"--event '{event}':\n{output[:600]}")
        return 0
    return int(count.group(1))


def follow_event_names(page, folder):
    """What the table says can be named: each of it is there, and nothing else is."""
    names = {row[0].split("`")[1]: re.findall(r"`([^`]+)`", row[1]) for row in rows_of_table(page, "event")}
    switched = names["open"]
    failing = names["fail"] + [name for name in switched if "rack" not in name]
    single = [name for name in failing if name != "cdu_*"]  # the CDU stands for its pumps
    count = lambda kind, listed: events_in(folder, f"at: 1 s, {kind}: [{', '.join(listed)}]")
    pumps = count("fail", ["cdu_*"])
    if count("fail", failing) != count("fail", single) + pumps:
        wrong(f"{page.name}: names of what can fail overlap")
    if events_in(folder, 'at: 1 s, fail: ["*", "*.*", "*.*.*"]') != count("fail", single) + pumps:
        wrong(f"{page.name}: the list of what can fail is not all of it")
    if events_in(folder, 'at: 1 s, open: ["*", "*.*"]') != count("open", switched):
        wrong(f"{page.name}: the list of what can be opened is not all of it")
    settings = {}
    for name in names["set"]:
        if name == "gpus.power":  # follows a file: tests/library/gpu_watts.cpp
            continue
        settings.setdefault(name.split(".")[1], []).append(name)
    values = {"supply_temperature": "30 degC", "pump_speed": "70 %", "differential_pressure": "80 kPa", "flow": "1 kg/s",
              "air_temperature": "26 degC", "gpu_power_limit": "400 W", "dry_bulb": "20 degC", "wet_bulb": "5 degC"}
    told = re.findall(r"^  (\w+) ", folder.run("wattloop explain settings")[1], re.MULTILINE)
    if told and set(values) - set(told):
        wrong(f"{page.name}: settings are {told}")
    for setting, listed in settings.items():
        to = values[setting]
        each = sum(events_in(folder, f"at: 1 s, set: {name}, to: {to}") for name in listed)
        if events_in(folder, f'at: 1 s, set: "*.{setting}", to: {to}') != each:
            wrong(f"{page.name}: the list of components with {setting} is not all of it")


def follow_language(page, folder):
    follow_fragments(page, folder)
    follow_quantities(page, folder)
    follow_event_names(page, folder)


def check_words(page, folder):
    """On any page: topics of `explain`, and files of the project in backticks."""
    told_to_write = {name for name, *_ in files_of(page)} if (SOURCE / "docs/tutorials" / page.name).exists() and page.name != "README.md" else set()
    text = "\n".join(page.lines)
    for topic in sorted(set(re.findall(r"`wattloop explain ([\w.]+)`", text))):
        code, output = folder.run(f"wattloop explain {topic}")
        if code != 0:
            wrong(f"{page.name}: wattloop explain {topic}: {output}")
    folders = "core|physics|electrical|network|workload|twin|viz|tests|scripts|docs|scenarios|bench|cmake"
    for named in sorted(set(re.findall(rf"`((?:{folders})/[\w./-]+)`", text))):
        if named not in told_to_write and not (SOURCE / named).exists() and not list(SOURCE.glob(named + ".*")):
            wrong(f"{page.name}: there is no {named}")


RULES = {"docs/first_run.md": follow_session, "docs/build_your_hall.md": follow_session, "docs/views.md": follow_views,
         "docs/importing_logs.md": follow_session, "docs/results_format.md": follow_results_format,
         "docs/scenario_language.md": follow_language}
RULES.update({f"docs/tutorials/{page.name}": follow_session for page in (SOURCE / "docs/tutorials").glob("add_*.md")})


def others():
    """Pages without rules of their own."""
    pages = [*SOURCE.glob("*.md"), *SOURCE.glob("*/*.md"), *SOURCE.glob("*/*/*.md")]
    names = [str(page.relative_to(SOURCE)) for page in pages]
    return sorted(name for name in names if name not in RULES and not name.startswith(("build/", "CHANGELOG")))


def follow(program, name):
    folder = Folder(program)
    try:
        page = Blocks(SOURCE / name)
        rule = RULES.get(name, follow_fragments if name.startswith("docs/models/") else None)
        if rule:
            rule(page, folder)
        folder.now = folder.root / "wattloop"
        check_words(page, folder)
    finally:
        folder.remove()


def main(program, name):
    if subprocess.run([PYTHON, "-c", "import xarray"], capture_output=True).returncode != 0:
        print("skipped: this Python has no xarray")
        return 77
    for page in others() if name == "--others" else [name]:
        follow(program, page)
    for problem in problems:
        print(problem)
    print(f"{name}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
