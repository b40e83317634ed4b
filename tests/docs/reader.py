"""A reader of pages: blocks and tables, a folder to work in, sessions of commands with what they show."""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
LONGEST_S = 600
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
        if Path(f"{program}_v2").exists():
            self.environment["WATTLOOP_ISA"] = "v2"  # whose last digits are the same on every machine

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
    return command.startswith(("git ", "paraview ", "pvpython ", "WATTLOOP_PVPYTHON", "export PATH"))


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
    kept = [line for line in shown if not re.match(r"(deps|build): |(results|picture|report|ParaView|program) +\.\.\./", line)]
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
    if any(" VIOLATED" in line for line in shown):
        wanted = 3
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


def rows_of_table(page, heading):
    """Cells of the rows below a head that begins with `heading`."""
    rows, inside = [], False
    for line in page.lines:
        if line.startswith(f"| {heading} |"):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not line.startswith("|---"):
            rows.append(re.split(r"\s*\|\s*", line)[1:-1])
    if not rows:
        wrong(f"{page.name}: no table '{heading}'")
    return rows
