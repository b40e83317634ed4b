#!/usr/bin/python3
"""Does to a folder what tutorials tell their readers to do to the sources.

    tutorial.py --list PAGE...      the files that the pages write or change, one a line
    tutorial.py FOLDER PAGE...      writes them below FOLDER: a whole file, or the file of the sources with its changes

The paragraph before a block ends with the file in backticks and a colon. A block `cpp` is the whole file. A block `diff` has lines that are
there (a space before them), that are removed (-) and that are added (+); what is there must be found once. Pages are followed in their
order, so that a file may be changed by several of them.
"""
import re
import sys
from pathlib import Path

from reader import SOURCE, Blocks


def files_of(page):
    """(file, language, lines, number of the first line) of each block that is a file or a change of one."""
    for language, lines, first in page.all:
        if language not in ("cpp", "diff"):
            continue
        before = next((line for line in reversed(page.lines[: first - 2]) if line.strip()), "")
        named = re.search(r"`([\w./-]+)`:$", before)
        if named is None:
            sys.exit(f"{page.name}:{first}: the line before this block names no file: {before}")
        yield named.group(1), language, lines, first


def changed(text, place, name, lines):
    kept = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
    count = f"\n{text}".count(f"\n{kept}")
    if count != 1:
        sys.exit(f"{place}: {name} has these lines {count} times, expected once:\n{kept}")
    return f"\n{text}".replace(f"\n{kept}", f"\n{new}")[1:]


def texts_of(pages):
    texts = {}
    for page in pages:
        for name, language, lines, first in files_of(page):
            place = f"{page.name}:{first}"
            if language == "diff":
                text = texts[name] if name in texts else (SOURCE / name).read_text(encoding="utf-8")
                texts[name] = changed(text, place, name, lines)
            elif name in texts or (SOURCE / name).exists():
                sys.exit(f"{place}: {name} is there already")
            else:
                texts[name] = "\n".join(lines) + "\n"
    return texts


def main(folder, *names):
    pages = [Blocks(Path(name)) for name in names]
    if folder == "--list":
        print("\n".join(dict.fromkeys(name for page in pages for name, *_ in files_of(page))))
        return
    for name, text in texts_of(pages).items():
        file = Path(folder) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
