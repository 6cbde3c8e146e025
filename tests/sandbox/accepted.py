"""Requests just within Discord's limits, which must be accepted."""

from sandbox.refusals import AUTOCOMPLETE
from tests.sandbox.refused_acts import answer_in_archived, edits_of_old_message, open_many, pin
from tests.sandbox.refused_payloads import (
    V2,
    Act,
    argument,
    button,
    choice,
    classic,
    command,
    commands,
    container,
    display,
    edit,
    gallery,
    label,
    menu,
    message,
    modal,
    options,
    row,
    section,
    select,
    text_input,
    thread,
    v2,
    with_files,
)
from tests.sandbox.wire import Reply, Wire


async def _choices(wire: Wire) -> Reply:
    answer = {"type": 8, "data": {"choices": [choice(f"c{n}") for n in range(25)]}}
    return await wire.callback(wire.interaction(AUTOCOMPLETE), answer)


def _rows(number: int) -> list[dict[str, object]]:
    return [row(*[button(f"{n}.{m}") for m in range(5)]) for n in range(number)]


_INPUTS = (
    text_input(value="xx", min_length=2, max_length=2, placeholder="x" * 100),
    select(25, min_values=0, max_values=25, required=False),
)
_PICTURE = gallery(*["attachment://0.png"] * 10, description="x" * 1024)

ACCEPTED: dict[str, Act] = {
    "2000 characters": message(content="x" * 2000),
    "ten files": with_files(10, attachments=[{"id": n, "description": "x" * 1024} for n in range(10)]),
    "a hundred mentions": message(content="x", allowed_mentions={"users": [str(n) for n in range(1, 101)]}),
    "a nonce of 25": message(content="x", nonce="x" * 25, enforce_nonce=True),
    "an edit that leaves only a button": edit({"content": "x"}, content=None, components=_rows(1)),
    "25 buttons": classic(*_rows(5)),
    "ids of 31 bits, and zeros": classic(
        row(button("a", id=0), button("b", id=0), button("c", id=2**31 - 1))
    ),
    "three edits of an old message": lambda wire: edits_of_old_message(wire, 3),
    "250 pins": lambda wire: pin(wire, number=249),
    "deleting an answer in an archived thread": lambda wire: answer_in_archived(wire, "DELETE"),
    "ten direct messages": lambda wire: open_many(wire, 10),
    "a link": classic(row(button(None, style=5, url="https://example.com"))),
    "25 options": classic(row(select(25, min_values=25, max_values=25, placeholder="x" * 150))),
    "40 components": v2(container(*[display()] * 20), container(*[display()] * 18)),
    "4000 characters of text": v2(display("x" * 2000), container(display("x" * 2000))),
    "a section of three texts": v2(section(*[display()] * 3), *_rows(1)),
    "ten pictures": with_files(1, flags=V2, components=[_PICTURE]),
    "V2 by an edit that empties": edit(
        {"content": "x"}, content=None, embeds=[], flags=V2, components=[display()]
    ),
    "V2 once more": edit({"flags": V2, "components": [display()]}, components=[display("new")]),
    "a modal of five": modal(*map(label, _INPUTS), *[display()] * 3, title="x" * 45),
    "a hundred commands, 15 menus": commands(
        *[command(f"c{n}") for n in range(100)], *[menu(f"A Menu {n}", 2) for n in range(15)]
    ),
    "names of any script": commands(*map(command, ("zwölf", "it's-a_1", "ไพ่", "ताश", "トランプ"))),
    "25 options, required first": options(
        argument("first", required=True), *[argument(f"a{n}") for n in range(24)]
    ),
    "25 choices": options(argument(choices=[choice("x" * 99 + f"{n}"[0], "y" * 100) for n in range(25)])),
    "a group": options(argument("g", 2, options=[argument("s", 1, options=[argument(max_length=6000)])])),
    "25 completions": _choices,
    "a thread's name of 100": thread(name="x" * 100, type=12, auto_archive_duration=60),
}
