"""Reads answers with the classes made of the document, and writes them back: nothing may be lost.

Standard input: a list of [name of the schema, answer]. Standard output: what was read, a line each.
"""

import json
import re
import sys

sys.path.insert(0, sys.argv[1])
import models  # noqa: E402


def lost(given, written, place):
    """Where a value differs. A null may be left out."""
    if isinstance(given, dict) and isinstance(written, dict):
        for key, value in given.items():
            if value is not None:
                yield from lost(value, written.get(key), f"{place}.{key}")
    elif isinstance(given, list) and isinstance(written, list) and len(given) == len(written):
        for at, value in enumerate(given):
            yield from lost(value, written[at], f"{place}[{at}]")
    elif given != written:
        yield place


for name, answer in json.load(sys.stdin):
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    read = getattr(models, f"{snake}_from_dict")(answer)
    written = read.to_dict()
    for place in lost(answer, written, name):
        sys.exit(f"{place} was lost")
    print(name)

deployment = models.Deployment.from_dict(json.loads(sys.argv[2]))
if deployment.state is models.DeploymentState.SUCCEEDED:
    print(f"{deployment.operation.value} of {deployment.instance_id} succeeded")
try:
    models.Deployment.from_dict({"id": 1})
except (AssertionError, ValueError):
    print("what is no deployment is refused")
