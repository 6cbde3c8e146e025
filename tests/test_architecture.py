"""The structure of the project, read from its sources: imports between packages, files of every game, code style."""

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("games", "bot", "cogs", "sandbox", "tests", "bench")
MAY_IMPORT = {
    "games": {"games"},
    "bot": {"bot", "games"},
    "cogs": {"cogs", "bot", "games"},
    "sandbox": {"sandbox"},
    "bench": {"bench", "games", "bot", "cogs", "sandbox"},
}
"""The packages that a package may import. Tests may import all."""
MAY_IMPORT_ALL = {"bot/cli/start.py", "bench/load.py"}
"""Modules that may import all packages: the start, and the measurement that needs the tests' PostgreSQL server."""
LAYERS = {
    "bot.store": {"bot.store", "bot.program"},
    "bot.standings": {"bot.standings", "bot.store", "games"},
    "bot.match": {"bot.background", "bot.match", "bot.program", "bot.standings", "bot.store", "games"},
    "bot.computers": {
        "bot.background",
        "bot.computers",
        "bot.match",
        "bot.store",
        "bot.worker_process",
        "games",
    },
    "bot.gateway": {"bot.error_codes", "bot.gateway", "bot.store"},
    "bot.pictures": {"bot.pictures", "bot.dates", "bot.worker_process", "games"},
    "bot.messages": {
        *("bot.messages", "bot.match", "bot.pictures", "bot.standings", "bot.store"),
        *("bot.error_codes", "bot.gateway", "games"),
    },
    "bot.hosting": {
        *("bot.hosting", "bot.error_codes", "bot.match", "bot.standings", "bot.store"),
        *("bot.program", "bot.worker_process", "games"),
    },
    "bot.upkeep": {
        *("bot.upkeep", "bot.computers", "bot.error_codes", "bot.gateway", "bot.match", "bot.messages"),
        *("bot.background", "bot.standings", "bot.store", "games"),
    },
}
"""The packages that each layer of the bot may import. `bot.client` and `bot.cli`, which import most, are not listed."""
IMPORTS_DISCORD = {"bot.gateway", "bot.messages", "bot.hosting", "bot.upkeep"}
"""The layers that may import discord."""
USES_PRIVATE_NAMES = {
    "bot/gateway/private.py": "discord.py's, all of them",
    "bot/store/sqlite/database.py": "aiosqlite offers no way to run several statements at once",
}
"""Modules that may use private names of libraries, with the reason."""
NO_PRIVATE_NAMES = {"_asdict", "_make", "_replace", "_exit"}
"""Public names that begin with `_`: of named tuples, and of `os`."""
DOCUMENTED = {f"discord.{name}" for name in ("abc", "app_commands", "ext", "ext.commands", "ui", "utils")}
"""The modules of discord.py that its documentation describes."""
LISTS_COGS = {"bot/client.py", "bot/cli/logs.py"}
CLOCKS_AND_CHANCE = {"asyncio", "random", "secrets", "time"}
MAY_REPLACE = {
    "tests/sandbox/bots.py": "discord.py takes its addresses from nowhere else",
    "tests/e2e/conftest.py": "ratings are constants of a pool: they were fitted, and no bot has others",
    "tests/simulation/patches.py": "what libraries take from the machine",
}
"""Files of tests that may replace a constant, a clock or chance, with the reason."""
IMPURE = {
    *("asyncio", "datetime", "io", "os", "pathlib", "secrets", "shutil", "socket", "sqlite3", "subprocess"),
    *("tempfile", "threading", "time", "uuid"),
}
"""Modules of the standard library that would let an engine depend on anything outside its log."""
GAMES = [path.name for path in sorted((ROOT / "games").iterdir()) if (path / "__init__.py").exists()]
VAGUE_CLASS = re.compile(
    r"^ *class (\w*(?:Manager|Helper|Helpers|Util|Utils|Handler|Base|Impl))\b", re.MULTILINE
)


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=name_of(path))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return the full name of everything that a file imports: `from a import b` gives "a.b"."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: relative import; write the full name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def packages_used(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)} & set(PACKAGES)


def module_of(path: Path) -> str:
    """Return the name of the module in a file: "sandbox.routes" for "sandbox/routes/__init__.py"."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def module_imports(package: str) -> dict[str, set[str]]:
    """Return for each module of a package the modules of that package that it imports, anywhere in the file."""
    paths = {module_of(path): path for path in sources(package)}
    return {module: _among(paths, imports(path)) - {module} for module, path in paths.items()}


def _among(modules: Collection[str], names: Iterable[str]) -> set[str]:
    """Return the modules that these imports load: `from a.b import c` is a.b.c if that is a module, otherwise a.b."""
    return {name if name in modules else name.rpartition(".")[0] for name in names} & set(modules)


def circles(package: str) -> list[set[str]]:
    """Return the groups of modules in a package that import each other, directly or through other modules.

    Imports in functions and under TYPE_CHECKING count.
    """
    graph = module_imports(package)
    reachable = {module: _reachable(graph, module) for module in graph}
    groups = {frozenset(n for n in reach if module in reachable[n]) for module, reach in reachable.items()}
    return sorted((set(group) for group in groups if group), key=min)


def _reachable(graph: Mapping[str, set[str]], module: str) -> set[str]:
    """Return the modules that a module imports, directly or through others."""
    found: set[str] = set()
    waiting = [*graph[module]]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += graph[each]
    return found


every_package = pytest.mark.parametrize("package", MAY_IMPORT)
every_layer = pytest.mark.parametrize("layer", LAYERS)
every_game = pytest.mark.parametrize("game", GAMES)


@every_package
def test_packages_import_only_the_packages_below_them(package: str) -> None:
    strays = {
        name_of(path): packages_used(path) - MAY_IMPORT[package]
        for path in sources(package)
        if name_of(path) not in MAY_IMPORT_ALL
    }
    assert {path: used for path, used in strays.items() if used} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    assert circles(package) == []


@every_layer
def test_a_layer_of_the_bot_imports_only_the_layers_that_it_may(layer: str) -> None:
    strays = [
        (name_of(path), name)
        for path in sources(layer.replace(".", "/"))
        for name in imports(path)
        if name.split(".")[0] in PACKAGES
        and not any(f"{name}.".startswith(f"{each}.") for each in LAYERS[layer])
    ]
    assert strays == []


@every_layer
def test_only_some_layers_import_discord(layer: str) -> None:
    strays = [
        (name_of(path), name)
        for path in sources(layer.replace(".", "/"))
        for name in imports(path)
        if name.split(".")[0] == "discord" and layer not in IMPORTS_DISCORD
    ]
    assert strays == []


@every_layer
def test_every_layer_describes_its_purpose(layer: str) -> None:
    said = ast.get_docstring(tree(ROOT / layer.replace(".", "/") / "__init__.py")) or ""
    assert 3 <= len(said.splitlines()) <= 6
    assert "Offers" in said


def test_private_names_of_libraries_are_used_in_one_module_each() -> None:
    """`tests/bot/test_private.py` looks at those on `self`, in classes that are built on a library's."""
    strays = [
        f"{name_of(path)} touches {name}: give it a plain name in bot/gateway/private.py"
        for package in ("bot", "cogs")
        for path in sources(package)
        if name_of(path) not in USES_PRIVATE_NAMES
        for name in _private_names(tree(path))
    ]
    assert strays == []


def _private_names(tree: ast.Module) -> Iterator[str]:
    """Yield the private names of others that a module touches or imports, and what it takes from parts of discord.py
    that are not documented, such as `Client.http`."""
    nodes = [*ast.walk(tree)]
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
    }
    for node in nodes:
        match node:
            case ast.Attribute(attr=name, value=owner) if re.match("_[a-z]", name):
                if ast.unparse(owner) == "super()" or name not in own | NO_PRIVATE_NAMES:
                    yield ast.unparse(node)
            case ast.Attribute(attr=name, value=owner):
                if name == "http" or (
                    ast.unparse(owner) == "discord" and _is_undocumented(f"discord.{name}")
                ):
                    yield ast.unparse(node)
            case ast.ImportFrom(module=str(module)):
                yield from (each.name for each in node.names if each.name.startswith("_"))
                yield from filter(_is_undocumented, [module])
            case ast.Import():
                yield from (each.name for each in node.names if _is_undocumented(each.name))


def _is_undocumented(name: str) -> bool:
    """Return whether a name is that of a module of discord.py that its documentation does not describe."""
    return name.startswith("discord.") and name not in DOCUMENTED and find_spec(name) is not None


def test_the_bot_names_no_cog() -> None:
    """Except `bot.client`, which loads the folder `cogs`, and `bot.cli.logs`, which sets the level of its loggers."""
    named = [
        name_of(path)
        for path in sources("bot")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"cogs(\.[a-z_]+)*", node.value) and name_of(path) not in LISTS_COGS
    ]
    assert named == []


def test_the_start_of_the_bot_imports_no_tests() -> None:
    start = ROOT / "bot" / "cli" / "start.py"
    assert not start.exists() or packages_used(start) <= {"games", "bot", "cogs", "sandbox"}


def test_engines_import_only_pydantic_and_the_pure_part_of_the_standard_library() -> None:
    known = (set(sys.stdlib_module_names) - IMPURE) | {"games", "pydantic"}
    strays = [
        (name_of(path), name)
        for path in sources("games")
        for name in imports(path)
        if name.split(".")[0] not in known
    ]
    assert strays == []


def test_engines_import_from_random_only_the_class_random() -> None:
    """Functions of the module use the global generator, whose seed is in no log."""
    taken = {name for path in sources("games") for name in imports(path) if name.split(".")[0] == "random"}
    assert taken <= {"random.Random"}


def test_engines_open_no_files_and_print_nothing() -> None:
    called = {
        (name_of(path), node.func.id)
        for path in sources("games")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert [(path, name) for path, name in called if name in {"open", "print", "input", "hash", "id"}] == []


@every_game
def test_the_rules_of_a_game_do_not_know_the_modules_that_speak_about_it(game: str) -> None:
    speak = tuple(f"games.{game}.{module}" for module in ("words", "rulebook", "record", "facts"))
    assert [name for name in imports(ROOT / "games" / game / "rules.py") if name.startswith(speak)] == []


@every_game
def test_every_game_has_a_cog_of_its_name(game: str) -> None:
    assert find_spec(f"cogs.{game}"), f"games/{game}/ needs cogs/{game}/ or cogs/{game}.py"


@every_game
def test_every_game_has_golden_games_and_declares_its_secrets(game: str) -> None:
    folder = ROOT / "tests" / "games" / game
    assert (folder / "secrets.py").exists(), (
        f"tests/games/{game}/ needs secrets.py: see tests/contract/subjects.py"
    )
    assert list((folder / "golden").glob("*.txt")), f"tests/games/{game}/golden/ needs a golden game"


def test_only_the_modules_of_a_game_import_it() -> None:
    """A new game is a package and a cog: all other code finds it and must not import it by name."""
    strays = [
        (name_of(path), name)
        for package in ("games", "bot", "cogs")
        for path in sources(package)
        for name in imports(path)
        for game in GAMES
        if name.split(".")[1:2] == [game] and game not in (path.parent.name, path.stem)
    ]
    assert strays == []


def test_a_file_of_a_game_is_no_longer_than_400_lines() -> None:
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources("games")}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


@pytest.mark.parametrize("made", ["ui.TextInput", "ui.Modal"])
def test_modals_and_their_fields_are_made_by_the_panels_alone(made: str) -> None:
    """`text_field` asks for a length, and `Modal` has another custom id when its content has changed."""
    files = [*sources("bot"), *sources("cogs")]
    makers = [name_of(path) for path in files if made in path.read_text(encoding="utf-8")]
    assert makers == ["bot/messages/panel.py"]


def test_no_class_has_a_vague_name() -> None:
    vague = [
        (name_of(path), name)
        for package in PACKAGES
        for path in sources(package)
        for name in VAGUE_CLASS.findall(path.read_text(encoding="utf-8"))
    ]
    assert vague == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("requirements*.txt")), ids=name_of)
def test_every_requirement_is_pinned_and_hashed_and_names_no_address(path: Path) -> None:
    text = re.sub(r"\s*\\\n\s*", " ", path.read_text(encoding="utf-8"))
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    requirements = [line for line in lines if line and not line.startswith("#")]
    assert requirements
    for requirement in requirements:
        assert re.match(r"[A-Za-z0-9._-]+(\[[a-z0-9,_-]+\])?==[^\s]+ ", requirement), requirement
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", requirement), requirement
    assert "://" not in text
    assert "-index" not in text


# What tests replace


def test_tests_give_values_to_constructors_and_replace_no_constant_clock_or_chance() -> None:
    """A test gives an object its durations, limits and clocks, or lets virtual time pass."""
    replaced = [
        f"{name_of(path)} replaces {name}: give the value to what uses it, or use virtual time"
        for path in sources("tests")
        if name_of(path) not in MAY_REPLACE
        for name in _replaced(path.read_text(encoding="utf-8"))
    ]
    assert replaced == []


def _replaced(text: str) -> Iterator[str]:
    """Yield the constants, clocks and chance that a test replaces by `monkeypatch.setattr`."""
    for node in ast.walk(ast.parse(text)) if "setattr" in text else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="setattr"), args=[ast.Constant(str(name)), *_]):
                parts = name.split(".")
            case ast.Call(func=ast.Attribute(attr="setattr"), args=[owner, ast.Constant(str(name)), *_]):
                parts = [ast.unparse(owner), name]
            case _:
                continue
        if parts[-1].isupper() or parts[0] in CLOCKS_AND_CHANCE:
            yield ".".join(parts)
