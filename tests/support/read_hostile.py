#!/usr/bin/python3
"""Reads files of hostile names as the programs they are written for do: read_hostile.py FOLDER. Prints what differs.

names holds the names with a NUL behind each; the others hold the same in the language of their ending: lists.py, lists.json (a literal a
line), list.xml and list.html (an element `i` a name, with the name in `a`, too), list.yaml (a sequence, each with a comment), *.svg and
*.page, of which only the markup must be right, and *.pvstate.py.
"""
import ast
import html.parser
import json
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

import yaml

VOID = {"meta", "br", "link", "img", "input", "hr"}
problems = []


def valid(name):
    """As text, or None where bytes are no UTF-8."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return None


def in_markup(text):
    """Without what markup cannot hold, line breaks and tabs as attributes have them."""
    kept = (c for c in text if c in "\n\t" or (ord(c) >= 32 and not 127 <= ord(c) < 160 and ord(c) & 0xFFFE != 0xFFFE))
    return re.sub(r"[\n\t]", " ", "".join(kept))


def compare(kind, names, found, shown=lambda text: text):
    if len(names) != len(found):
        problems.append(f"{kind}: {len(found)} values of {len(names)}")
    for name, value in zip(names, found):
        text = valid(name)
        if text is not None and shown(text) != value:
            problems.append(f"{kind}: {value!r} for {text!r}")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.values, self.texts, self.open, self.tags = [], [], [], set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "i":
            self.values.append(dict(attributes).get("a"))
            self.texts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            problems.append(f"page: </{tag}> ends nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "i":
            self.texts[-1] += data


def read_page(text):
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        problems.append(f"page: not ended: {page.open}")
    return page


def read_state(text, names):
    """A state of ParaView: Python whose first lines are literals alone; title, xdmf and state are those of the file's number."""
    number, source = text.split("\n", 1)
    tree = ast.parse(source.encode("utf-8"))
    loads = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "attr", "") in ("loads", "update")]
    data = json.loads(ast.literal_eval(loads[0].args[0]))
    data.update({k.arg: ast.literal_eval(k.value) for k in loads[1].keywords})
    name = names[int(number)]
    if os.fsencode(data["xdmf"]) != name.replace(b"/", b"_") + b".xdmf2":
        problems.append(f"pvstate: {data['xdmf']!r} for {name!r}")
    if valid(name) is not None and data["title"] != valid(name):
        problems.append(f"pvstate: title {data['title']!r} for {name!r}")


def main():
    folder = pathlib.Path(sys.argv[1])
    names = (folder / "names").read_bytes().split(b"\0")[:-1]
    read = set()
    for file in sorted(folder.iterdir()):
        kind, data = file.suffix, file.read_bytes()
        read.add(kind)
        if file.name.endswith(".pvstate"):
            read_state(data.decode("utf-8"), names)
        elif kind == ".py":
            scope = {}
            exec(compile(data, file.name, "exec"), scope)
            found = [os.fsencode(text) for text in scope["names"]]
            problems.extend(f"python: {b!r} for {a!r}" for a, b in zip(names, found) if a != b and b"\xef\xbf\xbf" not in a)
            compare("python", names, scope["names"])
        elif kind == ".json":
            compare("script", names, [json.loads(line) for line in data.decode("ascii").split("\n")[:-1]])
            if b"<" in data or b">" in data:
                problems.append("script: a tag")
        elif kind == ".yaml":
            for loader in (yaml.SafeLoader, yaml.CSafeLoader):
                compare("yaml", names, yaml.load(data, loader))
        elif kind == ".xml":
            items = list(xml.etree.ElementTree.fromstring(data))
            compare("xml", names, [item.get("a") for item in items], in_markup)
            compare("xml text", names, [re.sub(r"[\n\t]", " ", item.text or "") for item in items], in_markup)
        elif kind == ".html":
            page = read_page(data.decode("utf-8"))
            compare("html", names, [re.sub(r"[\n\t]", " ", value or "") for value in page.values], in_markup)
            compare("html text", names, [re.sub(r"[\n\t]", " ", text) for text in page.texts], in_markup)
        elif kind in (".svg", ".xdmf2"):
            xml.etree.ElementTree.fromstring(data)
        elif kind == ".page":
            read_page(data.decode("utf-8"))
        elif kind == ".hall":
            if not isinstance(yaml.safe_load(data)["hall"], dict):
                problems.append(f"{file.name}: no hall")
    if (folder / "owned").exists() or pathlib.Path("owned").exists():
        problems.append("something was executed")
    print("\n".join(problems[:20]) if problems else f"read {' '.join(sorted(read - {''}))}")
    return 1 if problems else 0


sys.exit(main())
