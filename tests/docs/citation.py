#!/usr/bin/python3
"""CITATION.cff says what Citation File Format 1.2 asks for, and the version and licence that the sources have."""
import pathlib
import re
import sys

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
REQUIRED = {"cff-version", "message", "title", "authors"}
KNOWN = REQUIRED | {"abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license", "license-url",
                    "preferred-citation", "references", "repository", "repository-artifact", "repository-code", "type", "url", "version"}
LICENCES = {"Apache License": "Apache-2.0", "MIT License": "MIT"}  # how their texts begin: their names in SPDX


def mistakes(citation, cmake, licence):
    """All that is wrong, in words."""
    for key in sorted(REQUIRED - citation.keys()):
        yield f"has no {key}"
    for key in sorted(citation.keys() - KNOWN):
        yield f"has a key that the format does not know: {key}"
    if citation.get("cff-version") != "1.2.0":
        yield f"cff-version is {citation.get('cff-version')}, expected 1.2.0"
    if citation.get("type") not in (None, "software", "dataset"):
        yield f"type is {citation['type']}, expected software or dataset"
    authors = citation.get("authors") or [{}]
    if not all(isinstance(author, dict) and {"name", "family-names", "given-names"} & author.keys() for author in authors):
        yield "an author has no name"
    if not all(isinstance(citation.get(key, ""), str) for key in ("message", "title", "abstract", "version", "license")):
        yield "a text is no text: a version of two numbers needs quotes"
    version = re.search(r"^project\(wattloop VERSION (\S+)", cmake, re.M).group(1)
    if citation.get("version") != version:
        yield f"version is {citation.get('version')}, that of CMakeLists.txt is {version}"
    if citation.get("license") != LICENCES.get(licence.strip().splitlines()[0].strip()):
        yield f"license is {citation.get('license')}, which is not what LICENSE says"


def main():
    texts = [(SOURCE / name).read_text() for name in ("CITATION.cff", "CMakeLists.txt", "LICENSE")]
    wrong = list(mistakes(yaml.safe_load(texts[0]), *texts[1:]))
    for one in wrong:
        print(f"CITATION.cff {one}")
    other = {**yaml.safe_load(texts[0]), "version": "9.9.9", "license": "MIT", "autors": []}
    other.pop("authors")
    if len(list(mistakes(other, *texts[1:]))) != 5:
        wrong.append("five mistakes are not noticed")
        print("five mistakes in a copy are not noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
