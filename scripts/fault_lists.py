"""Lists of planted faults, and how one is planted: the format stands in tests/faults/README.md. Used by scripts/faults."""
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


class Wrong(Exception):
    """A list or a fault that cannot be used."""


# ---- lists of faults


def read_list(path):
    """Faults of one file, as maps; keys before the first `fault:` hold for all of them, `by:` between two for all below."""
    common, faults, current = {}, [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in ("fault", "file", "in", "before", "after", "by"):
            raise Wrong(f"{path.name}:{number}: expected fault, file, in, before, after or by")
        value = value.removeprefix(" ")
        if key == "fault":
            current = {"fault": value, "place": f"{path.name}:{number}", **common}
            faults.append(current)
        elif current is None or (key == "by" and "before" in current):
            common[key] = value
            current = None
        elif key in ("before", "after") and key in current:
            current[key] += "\n" + value
        else:
            current[key] = value
    for fault in faults:
        fault.setdefault("after", "")
        for key in ("file", "before", "by"):
            if key not in fault:
                raise Wrong(f"{fault['place']}: {fault['fault']}: no {key}")
    return faults


def read_faults():
    faults = [fault for path in sorted((SOURCE / "tests/faults").glob("*.faults")) for fault in read_list(path)]
    names = [fault["fault"] for fault in faults]
    for name in names:
        if names.count(name) > 1:
            raise Wrong(f"two faults are named '{name}'")
    return faults


def programs(fault):
    """Pairs of test program and filter of test cases, in the order in which they are run."""
    return [tuple((part.split(None, 1) + [""])[:2]) for part in fault["by"].split(";")]


# ---- planting


def span_of_function(text, name):
    """From its head to its closing brace; the definition, not a call or a declaration."""
    spans = []
    for match in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        after = end_of(text, match.end() - 1, "(", ")")
        head = re.match(r"[^;{}()=]*(?:->[^;{}]*)?\{", text[after:])
        if head:
            spans.append((match.start(), end_of(text, after + head.end() - 1, "{", "}")))
    return spans


def end_of(text, at, opens, closes):
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opens) - (text[place] == closes)
        if depth == 0:
            return place + 1
    return len(text)


def planted(text, fault):
    """The text of the file with the fault in it. Blanks in the pattern stand for any blanks, line ends included."""
    begin, end = 0, len(text)
    if "in" in fault:
        spans = span_of_function(text, fault["in"])
        if len(spans) != 1:
            raise Wrong(f"{fault['place']}: {fault['file']} defines {fault['in']} {len(spans)} times")
        begin, end = spans[0]
    pattern = r"\s+".join(re.escape(word) for word in fault["before"].split())
    found = list(re.finditer(pattern, text[begin:end]))
    if len(found) != 1:
        where = f"{fault['file']}, {fault['in']}" if "in" in fault else fault["file"]
        raise Wrong(f"{fault['place']}: {fault['fault']}: {len(found)} places in {where} for: {fault['before']}")
    return text[: begin + found[0].start()] + fault["after"] + text[begin + found[0].end() :]
