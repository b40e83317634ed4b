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
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
LONGEST_S = 600
PYTHON = "/usr/bin/python3"
problems = []


def wrong(text):
    problems.append(text)


class Blocks:
    """The fenced blocks of a page: language, lines, number of the first line."""

    def __init__(self, path):
        self.name = path.name
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.all, inside = [], None
        for number, line in enumerate(self.lines, 1):
            if line.startswith("```"):
                if inside is None:
                    inside = (line[3:], [], number + 1)
                else:
                    self.all.append(inside)
                    inside = None
            elif inside is not None:
                inside[1].append(line)

    def of(self, language):
        return [block for block in self.all if block[0] == language]


class Folder:
    """Where a reader works: a folder `wattloop` with the scenarios, and what is made on the way."""

    def __init__(self, program):
        self.root = Path(tempfile.mkdtemp(prefix="wattloop_docs_"))
        self.now = self.root / "wattloop"
        self.now.mkdir()
        (self.now / "scenarios").symlink_to(SOURCE / "scenarios")
        (self.now / "results").mkdir()
        self.environment = dict(os.environ, PATH=f"{Path(program).parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")

    def run(self, command):
        """Exit code and everything that was printed; `cd` stays."""
        left = self.root / "left_in"
        shell = f"{command}\nstatus=$?; pwd > '{left}'; exit $status"
        done = subprocess.run(["bash", "-c", shell], cwd=self.now, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST_S)
        if left.is_file():
            self.now = Path(left.read_text().strip())
        return done.returncode, done.stdout

    def remove(self):
        shutil.rmtree(self.root)


# ---- sessions


def as_compared(line):
    """Without what differs from run to run: wall times, rounding that is left of a balance."""
    line = re.sub(r"simulated in .*", "simulated in SOME TIME", line.rstrip())
    return re.sub(r"residual( +)-?[\d.]+e-1\d of", r"residual\1SMALL of", line)


def find_lines(wanted, lines, begin):
    for at in range(begin, len(lines) - len(wanted) + 1):
        if lines[at : at + len(wanted)] == wanted:
            return at + len(wanted)
    return None


def compare(place, command, shown, output):
    """Parts between lines `...` must come in this order, word for word; without any of them all of it."""
    lines = [as_compared(line) for line in output.splitlines()]
    parts, part = [], []
    for line in shown:
        if line.strip() == "...":
            parts.append(part)
            part = []
        else:
            part.append(as_compared(line))
    parts.append(part)
    while parts and parts[-1] and not parts[-1][-1]:  # an empty line before the next command
        parts[-1].pop()
    at = 0
    for part in parts:
        end = find_lines(part, lines, at)
        if end is None:
            first = next((line for line in part if line not in lines), part[0] if part else "")
            wrong(f"{place}: {command}\n  does not print: {first}\n  but:\n{output[:4000]}")
            return
        at = end
    if len(parts) == 1 and len(lines) != len(parts[0]):
        wrong(f"{place}: {command}\n  prints more than is shown:\n{output[:4000]}")


def commands_of(lines, first):
    """Commands with their here-documents, and what is shown after each."""
    commands, end_of_text = [], None
    for number, line in enumerate(lines, first):
        if end_of_text is not None:
            commands[-1][1] += "\n" + line
            end_of_text = None if line == end_of_text else end_of_text
        elif commands and line and commands[-1][1].count("'") % 2 == 1:  # a text in quotes goes on
            commands[-1][1] += "\n" + line
        elif line.startswith("$ "):
            commands.append([number, re.sub(r" {2,}#.*", "", line[2:]), []])
            text = re.search(r"<<'(\w+)'", line)
            end_of_text = text.group(1) if text else None
        elif commands:
            commands[-1][2].append(line)
    return commands


def not_ours(command):
    return command.startswith(("git ", "paraview ", "WATTLOOP_PVPYTHON", "export PATH"))


def as_run(command):
    """`scripts/run SCENARIO` builds first; what it shows of the run comes from these."""
    match = re.fullmatch(r"scripts/run( \S+)?", command)
    if not match:
        return command
    scenario = (match.group(1) or " scenarios/h100_10k.yaml").strip()
    name = Path(scenario).stem
    return f"wattloop run {scenario} -o results/{name}.h5 && wattloop view results/{name}.h5"


def shown_of_run(shown):
    """Without what `scripts/run` says of building and of places."""
    kept = [line for line in shown if not re.match(r"(deps|build): |(results|picture|ParaView|program) +\.\.\./", line)]
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def run_command(page, folder, number, command, shown):
    place = f"{page.name}:{number}"
    if not_ours(command):
        return
    if command.startswith("cat ") and "<<" not in command:  # shows a file that the reader writes
        file = folder.now / command.split()[1]
        if not file.exists():
            file.write_text("\n".join(line for line in shown if line.strip()) + "\n")
            return
    if command.startswith("scripts/run"):
        shown = shown_of_run(shown)
    code, output = folder.run(as_run(command))
    wanted = 1 if any(re.match(r"\d+ problems? in ", line) for line in shown) else 0
    if code != wanted:
        wrong(f"{place}: {command}\n  ends with {code}:\n{output[-2000:]}")
    elif any(line.strip() for line in shown):
        compare(place, command, shown, output)


def follow_session(page, folder):
    script = None
    for language, lines, first in page.all:
        if language == "python":
            script = "\n".join(lines) + "\n"
        if language == "yaml" and lines[0].startswith("format:"):
            (folder.now / "my_scenario.yaml").write_text("\n".join(lines) + "\n")
        if language != "console":
            continue
        for number, command, shown in commands_of(lines, first):
            named = re.search(r"python3 (\w+\.py)", command)
            if named and script:
                (folder.now / named.group(1)).write_text(script)
                script = None
            run_command(page, folder, number, command, shown)


# ---- pages with rules of their own


def need_results(folder, name, arguments):
    code, output = folder.run(f"wattloop run {arguments} -o results/{name}.h5 -q")
    if code != 0:
        wrong(f"wattloop run {arguments}: {output}")


def follow_views(page, folder):
    need_results(folder, "one_rack", "scenarios/one_rack.yaml")
    follow_session(page, folder)
    for picture in ("one_rack.png", "one_rack.xdmf"):
        if not (folder.now / "results" / picture).is_file():
            wrong(f"{page.name}: no results/{picture}")


def follow_results_format(page, folder):
    """The lines of Python on a file with and one without events, and on one that was not finished."""
    need_results(folder, "plain", "scenarios/one_rack.yaml --set 'duration=5 min'")
    need_results(folder, "events", "scenarios/pump_failure/a_pump_trips.yaml")
    shutil.copy(folder.now / "results/plain.h5", folder.now / "results/left.partial.h5")
    (folder.now / "ten.py").write_text("\n".join(page.of("python")[0][1]) + "\n")
    for name in ("plain.h5", "events.h5", "left.partial.h5"):
        code, output = folder.run(f"{PYTHON} -W error ten.py results/{name}")
        if code != 0 or "PUE 1." not in output or "row_1.rack_1" not in output:
            wrong(f"{page.name}: the lines of Python on {name} end with {code}:\n{output[-1500:]}")


def check_over(place, folder, base, lines):
    """A part of a scenario over a whole one."""
    text = [line for line in lines if not line.startswith(("extends:", "format:"))]
    (folder.now / "part.yaml").write_text(f"format: 1\nextends: scenarios/{base}\n" + "\n".join(text) + "\n")
    code, output = folder.run("wattloop check part.yaml")
    if code != 0:
        wrong(f"{place}: over {base}:\n{output[:3000]}")


def follow_fragments(page, folder, base="h100_10k.yaml", replay_base="one_rack.yaml"):
    """Every `yaml` block over its base; files that it names are made."""
    rows = "".join(f"{second},5000,5200\n" for second in range(60))
    for name in ("traces/node_power.csv", "node_power.csv"):
        (folder.now / name).parent.mkdir(exist_ok=True)
        (folder.now / name).write_text("seconds,node_1,node_2\n" + rows)
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


def rows_of_table(page, heading):
    """Cells of the rows below a head that begins with `heading`."""
    rows, inside = [], False
    for line in page.lines:
        if line.startswith(f"| {heading} |"):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not line.startswith("|---"):
            rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    if not rows:
        wrong(f"{page.name}: no table '{heading}'")
    return rows


#  Rows of the table of quantities, and a key of that kind to try them with.
KEYS = {"absolute temperature": "hall.cooling.loops.supply_temperature", "power": "hall.racks.with.nameplate",
        "apparent, reactive power": "power.transformers.with.rated_power", "ratio": "hall.cooling.loops.pump_speed",
        "count, flag": "hall.racks.nodes"}


def quantity_problem(folder, key, value):
    """What `check` says of a value at a key; only what it says of the value's unit."""
    _, output = folder.run(f"wattloop check scenarios/one_rack.yaml --set \"{key}={value}\"")
    return [line for line in output.splitlines() if re.search(r"is in |has no unit|is a temperature|is ambiguous|unknown unit|no whole number", line)]


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
    switched, failing = names["open"], names["fail"] + names["open"]
    single = [name for name in failing if name != "cdu_*"]  # the CDU stands for its pumps
    count = lambda kind, listed: events_in(folder, f"at: 1 s, {kind}: [{', '.join(listed)}]")
    pumps = count("fail", ["cdu_*"])
    if count("fail", failing) != count("fail", single) + pumps:
        wrong(f"{page.name}: names of what can fail overlap")
    if events_in(folder, 'at: 1 s, fail: ["*", "*.*"]') != count("fail", single) + pumps:
        wrong(f"{page.name}: the list of what can fail is not all of it")
    if events_in(folder, 'at: 1 s, open: ["*"]') != count("open", switched):
        wrong(f"{page.name}: the list of what can be opened is not all of it")
    settings = {}
    for name in names["set"]:
        settings.setdefault(name.split(".")[1], []).append(name)
    values = {"supply_temperature": "30 degC", "pump_speed": "70 %", "differential_pressure": "80 kPa", "flow": "1 kg/s",
              "air_temperature": "26 degC"}
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
    text = "\n".join(page.lines)
    for topic in sorted(set(re.findall(r"`wattloop explain ([\w.]+)`", text))):
        code, output = folder.run(f"wattloop explain {topic}")
        if code != 0:
            wrong(f"{page.name}: wattloop explain {topic}: {output}")
    folders = "core|physics|electrical|network|workload|twin|viz|tests|scripts|docs|scenarios|bench|cmake"
    for named in sorted(set(re.findall(rf"`((?:{folders})/[\w./-]+)`", text))):
        if not (SOURCE / named).exists() and not list(SOURCE.glob(named + ".*")):
            wrong(f"{page.name}: there is no {named}")


RULES = {"docs/first_run.md": follow_session, "docs/views.md": follow_views,
         "docs/results_format.md": follow_results_format, "docs/scenario_language.md": follow_language}


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
