"""The command line: `python -m bot` plays, `python -m bot TASK` does something else."""

import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.cli import logs, tasks
from bot.cli.settings import Settings, SettingsRefused, is_address, load, load_well_formed
from bot.cli.start import DatabaseLost, Dismissed, StartRefused, run, say
from bot.cli.stopping import GOES_ON, Stop
from bot.hosting.backup import BackupRefused
from bot.hosting.doctor.finding import split
from bot.hosting.standings_file import FileRefused
from bot.program import PROGRAM
from bot.store import InDoubt, StoreFailed, StoreRefused
from bot.version import VERSION


@dataclass(frozen=True)
class Task:
    """A task of the command line."""

    run: Callable[[Settings, Namespace], Coroutine[Any, Any, int | None]]
    """Function that does the task. It may return an exit status."""
    about: str
    """Description for the help."""
    failed: str = "Palmhouse cannot start."
    """Sentence that begins its error messages."""
    stopped: str = ""
    """Sentence for the end by a signal; `failed` when empty."""


PLAY: Final = Task(run, "play", stopped=GOES_ON)
TASKS: Final = {
    "invite": Task(
        tasks.print_invitation,
        "print the link that adds the bot to a server, and what it asks for",
        "There is no link.",
    ),
    "emojis": Task(
        tasks.upload_emojis,
        "upload small pictures of the cards as emojis; once, and after each update",
        "Not all emojis are uploaded.",
        stopped="Run it again to upload the rest.",
    ),
    "recount": Task(
        tasks.recount_all,
        "compute all results and ratings anew from the logs",
        "Nothing was recounted.",
        stopped="Everything was recounted, or nothing.",
    ),
    "export": Task(
        tasks.export_guild,
        "write the standings of a server to a file",
        "Nothing was exported.",
        stopped="There is the whole file, or none.",
    ),
    "import": Task(
        tasks.import_guild,
        "add the standings in such a file to the database",
        "Nothing was imported.",
        stopped="Everything was imported, or nothing.",
    ),
    "backup": Task(
        tasks.back_up_database,
        "copy the database to a new file, also while the bot runs, and check the copy",
        "No backup was made.",
        stopped="There is a whole new backup, or none.",
    ),
    "check": Task(
        tasks.check_database,
        "check the database, also while the bot runs",
        "Nothing was checked.",
    ),
    "restore": Task(
        tasks.restore_database,
        "put a backup in the place of the database",
        "Nothing was restored.",
        stopped="The database is whole: the one before, or the restored one.",
    ),
    "move-to": Task(
        tasks.move_database,
        "copy the database to an empty PostgreSQL database, and recount there",
        "Nothing was moved.",
        stopped="The file is as it was, and the PostgreSQL database has everything or nothing.",
    ),
    "doctor": Task(
        tasks.diagnose,
        "check the machine, the database and Discord, also while the bot runs, and say what to do",
        "Not everything was checked.",
        stopped="Nothing was changed.",
    ),
    "policy": Task(
        tasks.print_policy,
        "print a privacy policy and terms as Markdown",
        stopped="Nothing was changed.",
    ),
}
"""The tasks other than playing, by name."""
CONNECTED: Final = ("invite", "emojis", "doctor")
"""The tasks that ask Discord, or the sandbox at an address."""


def arguments(given: Sequence[str] | None = None) -> Namespace:
    """Parse the command line. Ends the process with an error message for unknown arguments."""
    parser = ArgumentParser(
        prog=PROGRAM,
        usage=f"{PROGRAM} [-h] [--version] [--sandbox [URL] | --or-sandbox] [TASK ...]",
        description=(
            f"`{PROGRAM}` plays on Discord; `{PROGRAM} --sandbox` on a local stand-in for it, without a token."
        ),
    )
    parser.add_argument(
        "--version", action="version", version=f"Palmhouse {VERSION}", help="print the version"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--sandbox",
        nargs="?",
        const="",
        metavar="URL",
        help="play on a local stand-in for Discord instead: a new one, or the one running at URL",
    )
    where.add_argument(
        "--or-sandbox",
        action="store_true",
        help="play on Discord when DISCORD_TOKEN is set, else as with --sandbox",
    )
    _add_tasks(parser)
    words = [*sys.argv[1:]] if given is None else [*given]
    if words[:1] == ["--sandbox"] and {*words[1:2]} & TASKS.keys():
        words[0] = "--sandbox="  # else the name of the task would be its address
    return parser.parse_args(words)


def _add_tasks(parser: ArgumentParser) -> None:
    subparsers = parser.add_subparsers(
        title="other tasks",
        description=f"`{PROGRAM} TASK --help` says more.",
        dest="task",
        metavar="TASK",
        prog=PROGRAM,
    )
    at_sandbox, of_sandbox = ArgumentParser(add_help=False), ArgumentParser(add_help=False)
    # Without a default, `--sandbox` before the task stays as it is.
    at_sandbox.add_argument(
        "--sandbox",
        nargs="?",
        const="",
        default=SUPPRESS,
        metavar="URL",
        help="for the sandbox, not for Discord",
    )
    # Without an address, else a path or an id that follows would be taken for one.
    of_sandbox.add_argument(
        "--sandbox",
        action="store_const",
        const="",
        default=SUPPRESS,
        help="for the database of the sandbox, not for that of Discord",
    )
    added = {
        name: subparsers.add_parser(
            name,
            help=task.about,
            description=f"{task.about[0].upper()}{task.about[1:]}.",
            parents=[at_sandbox if name in CONNECTED else of_sandbox],
        )
        for name, task in TASKS.items()
    }
    added["export"].add_argument("guild", type=_guild, metavar="GUILD", help="id of the server")
    added["export"].add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="a new file (default: palmhouse-GUILD.json beside the database; in this folder with PostgreSQL)",
    )
    added["import"].add_argument("file", type=Path, metavar="FILE", help="a file that export has written")
    added["backup"].add_argument(
        "path",
        nargs="?",
        type=Path,
        metavar="PATH",
        help="a new file, or a folder for it (default: the folder `backups` beside the database)",
    )
    added["doctor"].add_argument(
        "--quick", action="store_true", help="check only what needs no network; warnings end with status 0"
    )
    added["doctor"].add_argument(
        "--json", action="store_true", help="print a list for programs, with name, state, what and remedy"
    )
    added["move-to"].add_argument(
        "url", type=_address, metavar="URL", help="its address, postgresql://USER:PASSWORD@HOST/DATABASE"
    )
    added["restore"].add_argument("path", type=Path, metavar="PATH", help="a file that backup has written")


def _guild(written: str) -> int:
    """Return the id of a server. Raises ArgumentTypeError."""
    if written.isascii() and written.isdigit() and 0 < int(written) < 2**63:
        return int(written)
    raise ArgumentTypeError(f"{written!r} is not the id of a server; one has 17 to 19 digits")


def _address(written: str) -> str:
    """Return the address of a PostgreSQL database. Raises ArgumentTypeError, which shows nothing of it."""
    if is_address(written):
        return written
    raise ArgumentTypeError(
        "this is not the address of a PostgreSQL database; write postgresql://USER:PASSWORD@HOST/DATABASE"
    )


def start(wanted: Namespace, stop: Stop) -> int:
    """Run the task of the command line until it is done or stopped, and return the exit status. Errors that a person
    can mend are printed to stderr as one sentence."""
    task = TASKS.get(wanted.task, PLAY)
    try:
        settings = load() if wanted.task != "doctor" else load_well_formed()[0]
        logs.set_up(settings.log_level, settings.log_format)
        if wanted.or_sandbox:
            _choose_sandbox(settings, wanted)
        stop.farewell, stop.status = _farewell(task, wanted.sandbox), int(task is not PLAY)
        return stop.run(task.run(settings, wanted))
    except tasks.FaultsFound as faults:
        say(str(faults), to=sys.stderr)
        return 1
    except SettingsRefused as refusal:
        if wanted.task == "doctor":
            return tasks.print_findings([split("settings", str(refusal))], wanted)
        say(f"{task.failed} {refusal}", to=sys.stderr)
        return 1
    except InDoubt as doubt:
        say(str(doubt), to=sys.stderr)
        return 1
    except (StoreRefused, StoreFailed, StartRefused, FileRefused, BackupRefused) as refusal:
        say(f"{task.failed} {refusal}", to=sys.stderr)
        return 1
    except Dismissed as reason:
        say(f"Palmhouse stops; every match goes on at the next start. {reason}", to=sys.stderr)
        return 1
    except DatabaseLost as reason:
        say(f"Palmhouse stops. {reason}", to=sys.stderr)
        return 1


def _choose_sandbox(settings: Settings, wanted: Namespace) -> None:
    """Choose a new sandbox unless there is a token."""
    if settings.discord_token is None:
        wanted.sandbox = ""
        say("Playing on the sandbox: no DISCORD_TOKEN is set.")
    else:
        say("Playing on Discord.")


def _farewell(task: Task, sandbox: str | None) -> str:
    """Return the sentence to print when the bot is stopped by a signal."""
    if task is PLAY and sandbox == "":
        return "The sandbox ends with it."
    return task.stopped or task.failed
