"""Write the least versions that pyproject.toml allows as exact ones, for `make compat`."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

_FLOOR = re.compile(r"([A-Za-z0-9._-]+(?:\[[a-z]+\])?)>=([0-9.]+)(,<[0-9.]+)?")


def floors(project: dict[str, object]) -> list[str]:
    """Return `name==floor` for every dependency and extra; one that declares no floor is refused.

    >>> floors({"dependencies": ["numpy>=2"], "optional-dependencies": {"x": ["x[sql]>=4,<5"]}})
    ['numpy==2', 'x[sql]==4']
    """
    extras = project["optional-dependencies"]
    assert isinstance(extras, dict)
    asked = [project["dependencies"], *extras.values()]
    read = {text: _FLOOR.fullmatch(text) for texts in asked for text in texts}
    if wrong := [text for text, found in read.items() if found is None]:
        raise SystemExit(f"pyproject.toml: {', '.join(wrong)} must look like numpy>=2.0")
    return sorted({f"{found[1]}=={found[2]}" for found in read.values() if found})


if __name__ == "__main__":
    with Path(sys.argv[1]).open("rb") as file:
        sys.stdout.write("\n".join(floors(tomllib.load(file)["project"])) + "\n")
