"""Say whether a built wheel holds every file of the package: ``python -m tools.wheel FILE.whl``."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path


def package_files(source: Path) -> set[str]:
    """Name the files under ``source`` that belong in a wheel, relative to it and with slashes."""
    return {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def missing(wheel: Path, source: Path) -> list[str]:
    """Name, sorted, the files of ``source`` that ``wheel`` lacks."""
    with zipfile.ZipFile(wheel) as archive:
        return sorted(package_files(source) - set(archive.namelist()))


def main(arguments: list[str]) -> int:
    """Print what each wheel lacks; 1 when one lacks anything."""
    source = Path(__file__).parent.parent / "src"
    failed = False
    for name in arguments:
        for lacking in missing(Path(name), source):
            print(f"{name}: lacks {lacking}")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
