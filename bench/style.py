"""Measure the source code of a checkout by package: size, imports, types and prose."""

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from bench.report import shown

PACKAGES: Final = ("games", "bot", "cogs", "sandbox", "bench", "tests")
ALL: Final = "all"
WINGED: Final = ("bot", "sandbox")
"""Packages whose subfolders are wings. A file that lies in none is a wing of its own; other packages are one wing."""
BLOCK: Final = 6
"""Lines of a block that counts as repeated."""
QUESTION: Final = re.compile(r"(Who|What|Whether|How|When|Where|Which|Whose|Why)\b")
DIRECTIVE: Final = re.compile(r"# *(type:|noqa|pragma)")

Graph = Mapping[str, set[str]]
"""Imported names by the name that imports them."""


@dataclass(frozen=True)
class Figures:
    """`python -m bench style --json`, for one package or for all."""

    files: int
    lines: int
    functions: int
    function_median: float
    """Lines of a function, from its `def` to its end, docstring included."""
    function_p90: float
    function_longest: int
    wings: int
    arrows: int
    """Pairs of wings of the package of which one imports the other; for all packages, all pairs."""
    floors: int
    """Wings in the longest chain of imports. Wings that import each other count as one."""
    circles: int
    """Groups of modules that import each other, TYPE_CHECKING and imports in functions included."""
    modules_in_circles: int
    casts: int
    type_ignores: int
    anys: int
    """Uses of the name `Any`."""
    docstrings: int
    """Docstrings of modules, classes, functions, constants and attributes."""
    questions: int
    """Docstrings that begin with a question word."""
    comments_per_100_lines: float
    """Comments for readers; those for tools, such as `noqa`, do not count."""
    repeated_blocks: int
    """Different blocks of BLOCK lines of code that occur in two places or more. Imports and docstrings do not count."""
    tests: int
    """Functions called `test_...`."""


@dataclass(frozen=True)
class Source:
    """One file of a checkout."""

    name: str
    """Name of the module: "bot.table"."""
    text: str

    @property
    def package(self) -> str:
        return self.name.split(".")[0]

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return [*ast.walk(ast.parse(self.text, filename=self.name))]

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        return [node for node in self.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]

    @cached_property
    def docstrings(self) -> list[ast.Expr]:
        """Return all docstrings, including those of constants and attributes."""
        return [node for node in self.nodes if isinstance(node, ast.Expr) and _is_text(node.value)]

    @cached_property
    def comments(self) -> list[str]:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return [token.string for token in tokens if token.type == tokenize.COMMENT]

    def imported(self) -> Iterator[str]:
        """Yield what the file imports, in full: `from a import b` gives "a.b"."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)

    def calls(self, name: str) -> int:
        return sum(isinstance(node, ast.Call) and _is_name(node.func, name) for node in self.nodes)

    def uses(self, name: str) -> int:
        return sum(_is_name(node, name) for node in self.nodes)

    def blocks(self) -> Iterator[tuple[str, ...]]:
        """Yield each run of BLOCK lines of code."""
        code = self._code()
        for start in range(len(code) - BLOCK + 1):
            yield tuple(code[start : start + BLOCK])

    def _code(self) -> list[str]:
        left_out = [node for node in self.nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
        numbers = {
            number
            for node in [*left_out, *self.docstrings]
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        lines = enumerate((line.strip() for line in self.text.splitlines()), start=1)
        return [line for number, line in lines if line and line[0] != "#" and number not in numbers]


@dataclass(frozen=True)
class Checkout:
    """All files of a checkout, and the graph of their imports."""

    sources: Sequence[Source]
    modules: Graph = field(init=False)

    def __post_init__(self) -> None:
        known = {source.name for source in self.sources}
        modules = {
            source.name: {
                name for each in source.imported() if (name := _module(each, known)) not in ("", source.name)
            }
            for source in self.sources
        }
        object.__setattr__(self, "modules", modules)

    @cached_property
    def wings(self) -> dict[str, str]:
        """Return the wing of each module."""
        return {source.name: _wing(source.name) for source in self.sources}

    @cached_property
    def circles(self) -> list[set[str]]:
        """Return the groups of modules that import each other."""
        return circles(self.modules)

    @cached_property
    def repeated(self) -> list[set[str]]:
        """Return the packages of each repeated block."""
        found: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for source in self.sources:
            for block in source.blocks():
                found[block].append(source.package)
        return [{*packages} for packages in found.values() if len(packages) > 1]

    def figures(self, package: str) -> Figures:
        """Return the figures of a package, or of all."""
        sources = [source for source in self.sources if package in (source.package, ALL)]
        names = {source.name for source in sources}
        lengths = [
            (each.end_lineno or 0) - each.lineno + 1 for source in sources for each in source.functions
        ]
        lines = sum(source.text.count("\n") for source in sources)
        docstrings = [each for source in sources for each in source.docstrings]
        comments = [comment for source in sources for comment in source.comments]
        wings = _arrows(self.modules, {name: self.wings[name] for name in names})
        rings = [ring & names for ring in self.circles if ring & names]
        return Figures(
            files=len(sources),
            lines=lines,
            functions=len(lengths),
            function_median=float(median(lengths or [0])),
            function_p90=quantiles(lengths, n=10)[-1] if len(lengths) > 1 else 0.0,
            function_longest=max(lengths, default=0),
            wings=len(wings),
            arrows=sum(map(len, wings.values())),
            floors=floors(wings),
            circles=len(rings),
            modules_in_circles=sum(map(len, rings)),
            casts=sum(source.calls("cast") for source in sources),
            type_ignores=sum("type: ignore" in comment for comment in comments),
            anys=sum(source.uses("Any") for source in sources),
            docstrings=len(docstrings),
            questions=sum(bool(QUESTION.match(_text_of(each).strip())) for each in docstrings),
            comments_per_100_lines=100 * sum(not DIRECTIVE.match(each) for each in comments) / max(1, lines),
            repeated_blocks=sum(package in {*packages, ALL} for packages in self.repeated),
            tests=sum(each.name.startswith("test_") for source in sources for each in source.functions),
        )


def measure(paths: Sequence[Path]) -> dict[str, dict[str, Figures]]:
    """Return the figures by path of a checkout and package. Raise ValueError for other folders."""
    return {str(path): _measured(path) for path in paths}


def _measured(path: Path) -> dict[str, Figures]:
    found = read(path)
    if not found.sources:
        raise ValueError(
            f"There is no checkout in {path}: none of the folders {', '.join(PACKAGES)} is there."
        )
    packages = Counter(source.package for source in found.sources)
    return {package: found.figures(package) for package in [*packages, ALL]}


def read(root: Path) -> Checkout:
    """Read the files of a checkout."""
    files = [(root, file) for package in PACKAGES for file in sorted((root / package).rglob("*.py"))]
    return Checkout([Source(_name(*each), each[1].read_text(encoding="utf-8")) for each in files])


def as_text(figures: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return a line for each figure and checkout, with a column for each package."""
    columns = [package for package in (*PACKAGES, ALL) if any(package in found for found in figures.values())]
    width = max(len(path) for path in figures) + 2
    lines = [f"{'':<24}{'':<{width}}" + "".join(f"{column:>10}" for column in columns)]
    for name in Figures.__dataclass_fields__:
        for number, (path, found) in enumerate(figures.items()):
            cells = [shown(getattr(found[each], name)) if each in found else "" for each in columns]
            title = "" if number else name.replace("_", " ")
            lines.append(f"{title:<24}{path:<{width}}" + "".join(f"{cell:>10}" for cell in cells))
    return "\n".join(lines)


def plain(figures: Mapping[str, Mapping[str, Figures]]) -> dict[str, dict[str, object]]:
    """Return the same figures as JSON has them."""
    return {
        path: {package: asdict(each) for package, each in found.items()} for path, found in figures.items()
    }


# Graphs


def circles(graph: Graph) -> list[set[str]]:
    """Return the groups of two or more names that reach each other, the largest first."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return sorted(
        ({*group} for group in groups if len(group) > 1), key=lambda group: (-len(group), min(group))
    )


def floors(graph: Graph) -> int:
    """Return the number of names in the longest chain of a graph; those of a circle count as one."""
    group = {name: name for name in graph} | {name: min(ring) for ring in circles(graph) for name in ring}
    below = _arrows(graph, group)
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            heights[name] = 1 + max(map(height, below[name]), default=0)
        return heights[name]

    return max(map(height, below), default=0)


def _reached(graph: Graph, start: str) -> set[str]:
    found, left = set[str](), [start]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left += new
    return found


def _arrows(graph: Graph, group: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the graph of groups; names without a group are left out."""
    found: dict[str, set[str]] = {name: set() for name in group.values()}
    for name in group:
        found[group[name]] |= {group[other] for other in graph[name] if other in group} - {group[name]}
    return found


# Names


def _name(root: Path, file: Path) -> str:
    return ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _module(imported: str, known: Iterable[str]) -> str:
    """Return the module that an import is about: "bot.table" for "bot.table.Table", "" for a module from elsewhere."""
    while imported and imported not in known:
        imported = imported.rpartition(".")[0]
    return imported


def _wing(module: str) -> str:
    depth = 2 if module.split(".")[0] in WINGED else 1
    return ".".join(module.split(".")[:depth])


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _text_of(docstring: ast.Expr) -> str:
    assert isinstance(docstring.value, ast.Constant)
    return str(docstring.value.value)
