"""Every name in the documents for developers is one of the code."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import PACKAGES, ROOT, sources, tree

FILE = re.compile(r"[\w<>./]+/[\w<>./]*|\w+\.(py|md|toml|sql)")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)?")


def undefined(names: set[str]) -> set[str]:
    """Return the names that no source defines. Only files in which one of them stands are parsed."""
    left = {*names}
    for path in (path for package in PACKAGES for path in sources(package)):
        if {each.rpartition(".")[2] for each in left} & words_in(path):
            left -= names_in(path)
    return left


@cache
def words_in(path: Path) -> set[str]:
    return {*re.findall(r"\w+", path.read_text(encoding="utf-8"))}


def names_in(path: Path) -> set[str]:
    """Return all that a file defines: `name` of a function, class or variable, and `Class.name` of a class."""
    found = set[str]()
    for node in ast.walk(tree(path)):
        found |= _names(node)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{each}" for inner in ast.walk(node) for each in _names(inner)}
    return found


def _names(node: ast.AST) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Name(id=name, ctx=ast.Store()):
            return {name}
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            return {name}
    return set()


def exists(name: str) -> bool:
    """Return whether the project has a file or folder of that name, with anything in place of `<game>`."""
    pattern = re.sub("<.+?>", "*", name)
    return any(ROOT.glob(pattern)) or any(ROOT.glob(f"*/**/{pattern}"))


def test_every_name_that_is_said_to_be_in_a_file_is_there() -> None:
    said = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    pairs = re.findall(r"`([A-Za-z_][\w.]*)` in `(\w+/[\w/]+\.py)`", said)
    assert pairs
    assert [(name, file) for name, file in pairs if name not in names_in(ROOT / file)] == []


@pytest.mark.parametrize("file", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_name_is_one_of_the_code(file: str) -> None:
    named = {*re.findall(r"`([^`]+)`", (ROOT / file).read_text(encoding="utf-8"))}
    files = {each for each in named if FILE.fullmatch(each)}
    wrong = {each for each in files if not exists(each)}
    assert not wrong, f"{file} names files that do not exist: {wrong}"
    wrong = undefined({each for each in named - files if IDENTIFIER.fullmatch(each)})
    assert not wrong, f"{file} names what the code does not define: {wrong}"
