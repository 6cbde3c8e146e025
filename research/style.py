"""Measure the source of checkouts by package: `python -m research.style [CHECKOUT ...]`.

Rooms are the subfolders of the wide packages; a file beside them is a room of its own. Other packages are one room.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PACKAGES = ("games", "bot", "cogs", "sandbox", "bench", "tests")
ALL = "all"
WIDE = ("bot", "sandbox")

Graph = Mapping[str, set[str]]
"""Imported names by the name that imports them."""


@dataclass(frozen=True)
class Source:
    """One file of a checkout."""

    name: str
    """Name of the module: "bot.table"."""
    text: str

    @property
    def package(self) -> str:
        return self.name.split(".")[0]

    def imported(self) -> Iterator[str]:
        """Yield what the file imports, in functions and for types too: `from a import b` gives "a.b"."""
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)

    def lengths(self) -> list[int]:
        """Return the lines of each function, docstring included."""
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        nodes = [node for node in ast.walk(ast.parse(self.text)) if isinstance(node, functions)]
        return [(node.end_lineno or 0) - node.lineno + 1 for node in nodes]


def read(root: Path) -> list[Source]:
    """Read the files of a checkout."""
    files = [file for package in PACKAGES for file in sorted((root / package).rglob("*.py"))]
    names = (
        ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for file in files
    )
    return [Source(name, file.read_text(encoding="utf-8")) for name, file in zip(names, files, strict=True)]


def figures(sources: list[Source], graph: Graph, package: str) -> dict[str, float]:
    """Return the figures of a package, or of all."""
    some = [source for source in sources if package in (source.package, ALL)]
    rooms = arrows(graph, {source.name: _room(source.name) for source in some})
    rings = [ring & {source.name for source in some} for ring in circles(graph)]
    lengths = [length for source in some for length in source.lengths()] or [0]
    return {
        "files": len(some),
        "lines": sum(source.text.count("\n") for source in some),
        "functions": len(lengths),
        "lines of a function, median": median(lengths),
        "longest function": max(lengths),
        "rooms": len(rooms),
        "arrows between rooms": sum(map(len, rooms.values())),
        "floors": floors(rooms),
        "modules in circles": sum(map(len, rings)),
        "tests": sum(source.text.count("def test_") for source in some),
    }


def circles(graph: Graph) -> list[set[str]]:
    """Return the groups of two or more names that reach each other."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return [{*group} for group in groups if len(group) > 1]


def floors(graph: Graph) -> int:
    """Return the number of names in the longest chain of a graph; those of a circle count as one."""
    below = arrows(
        graph, {name: name for name in graph} | {name: min(ring) for ring in circles(graph) for name in ring}
    )

    def height(name: str) -> int:
        return 1 + max(map(height, below[name]), default=0)

    return max(map(height, below), default=0)


def arrows(graph: Graph, group: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the graph of groups; names without a group are left out."""
    found: dict[str, set[str]] = {name: set() for name in group.values()}
    for name in group:
        found[group[name]] |= {group[other] for other in graph[name] if other in group} - {group[name]}
    return found


def _reached(graph: Graph, start: str) -> set[str]:
    found, left = set[str](), [start]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left += new
    return found


def _graph(sources: list[Source]) -> Graph:
    known = {source.name for source in sources}
    return {
        each.name: {_module(name, known) for name in each.imported()} - {"", each.name} for each in sources
    }


def _module(imported: str, known: set[str]) -> str:
    """Return the module that an import is about: "bot.table" for "bot.table.Table", "" for a module from elsewhere."""
    while imported and imported not in known:
        imported = imported.rpartition(".")[0]
    return imported


def _room(module: str) -> str:
    return ".".join(module.split(".")[: 2 if module.split(".")[0] in WIDE else 1])


def main(*checkouts: str) -> None:
    """Print a line for each figure, with a column for each package."""
    for checkout in checkouts or (".",):
        sources = read(Path(checkout))
        graph = _graph(sources)
        found = {package: figures(sources, graph, package) for package in (*PACKAGES, ALL)}
        print(f"{checkout:<30}" + "".join(f"{package:>10}" for package in found))
        for name in found[ALL]:
            print(f"{name:<30}" + "".join(f"{each[name]:>10,.0f}" for each in found.values()))


if __name__ == "__main__":
    main(*sys.argv[1:])
