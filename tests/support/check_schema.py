#!/usr/bin/python3
"""Checks YAML files against a JSON Schema as editors do. Exit code 0: all are as wanted, 1: not, 77: jsonschema is
missing.

    check_schema.py SCHEMA.json good FILE...        each is valid
    check_schema.py SCHEMA.json bad FILE...         none is
"""
import json
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


class Core(yaml.SafeLoader):
    """YAML 1.2 as editors read it: 'on' and dates are texts."""


Core.yaml_implicit_resolvers = {
    letter: [(tag, words) for tag, words in resolvers
             if tag != "tag:yaml.org,2002:timestamp" and (tag != "tag:yaml.org,2002:bool" or letter in "tTfF")]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def main(schema_file, wanted, *files):
    with open(schema_file, encoding="utf-8") as opened:
        schema = json.load(opened)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong = 0
    for file in files:
        with open(file, encoding="utf-8") as opened:
            error = jsonschema.exceptions.best_match(validator.iter_errors(yaml.load(opened, Core)))
        if (error is None) != (wanted == "good"):
            wrong += 1
            print(f"{file}: " + (f"{'.'.join(map(str, error.absolute_path))}: {error.message[:300]}" if error
                                 else "is not refused"))
    print(f"{len(files)} files, {wrong} not {wanted}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
