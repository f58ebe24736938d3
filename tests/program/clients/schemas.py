"""Validates results of Lovec against their schemas, and checks that a schema notices a field
that it does not have, in every object of a result.

    python3 tests/program/clients/schemas.py docs/json RESULTS

RESULTS has a result in each line. The packages jsonschema and referencing are needed.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource


def validators(folder):
    """The validators of all forms, by the names of the forms."""
    schemas = {path.name: json.loads(path.read_text()) for path in folder.glob("*.schema.json")}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    resources = ((name, Resource.from_contents(schema)) for name, schema in schemas.items())
    registry = Registry().with_resources(resources)
    forms = (schema for name, schema in schemas.items() if name != "common.schema.json")
    return {
        schema["properties"]["schema"]["const"]: Draft202012Validator(schema, registry=registry)
        for schema in forms
    }


def objects(value, path=""):
    """The first object at each place, with the place; all items of a list are one place."""
    found = {}
    if isinstance(value, dict):
        found[path] = value
        parts = [(f"{path}/{name}", part) for name, part in value.items()]
    else:
        parts = [(path + "[]", part) for part in value] if isinstance(value, list) else []
    for place, part in parts:
        found = objects(part, place) | found
    return found


def main():
    known = validators(Path(sys.argv[1]))
    results = [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines()]
    wrong, places, forms = 0, set(), set()
    for result in results:
        name = result["schema"]
        forms.add(name)
        for error in known[name].iter_errors(result):
            wrong += 1
            print(f"{name}: {error.json_path}: {error.message[:300]}")
        for place, changed in objects(result).items():
            if (name, place) in places:
                continue
            places.add((name, place))
            changed["unexpected"] = ["field"]
            if known[name].is_valid(result):
                wrong += 1
                print(f"{name}: no field more is noticed in {place or 'the result'}")
            del changed["unexpected"]
    print(f"{len(results)} results of {len(forms)} forms, {len(places)} objects, {wrong} wrong")
    sys.exit(wrong > 0)


main()
