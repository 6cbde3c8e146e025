"""Requests that must be refused, for each of Discord's limits.

A case names the row of the limit by its first cell (a bullet by its first three words), the HTTP status and error code
of Discord's answer, and what to do on the `Wire`.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from tests.sandbox.wire import Reply, Wire

Act: TypeAlias = Callable[[Wire], Awaitable[Reply]]
Json: TypeAlias = dict[str, Any]

V2 = 1 << 15
EPHEMERAL = 1 << 6


@dataclass(frozen=True)
class RefusedCase:
    row: str
    what: str
    act: Act
    status: int = 400
    code: int = 50035

    def __str__(self) -> str:
        return f"{self.row}: {self.what}"


# Payloads, valid by default.


def button(custom_id: str | None = "b", **more: Any) -> Json:
    return {"type": 2, "style": 1, "custom_id": custom_id, "label": "Play"} | more


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def buttons(number: int) -> list[Json]:
    return [button(f"b{n}") for n in range(number)]


def option(value: str = "a", **more: Any) -> Json:
    return {"label": "A", "value": value} | more


def select(number: int = 2, **more: Any) -> Json:
    return {"type": 3, "custom_id": "s", "options": [option(f"v{n}") for n in range(number)]} | more


def display(content: str = "Hello", **more: Any) -> Json:
    return {"type": 10, "content": content} | more


def section(*texts: Json, **more: Any) -> Json:
    return {"type": 9, "components": list(texts), "accessory": button()} | more


def container(*components: Json, **more: Any) -> Json:
    return {"type": 17, "components": list(components)} | more


def gallery(*urls: str, **more: Any) -> Json:
    return {"type": 12, "items": [{"media": {"url": url}} | more for url in urls]}


def label(component: Json, **more: Any) -> Json:
    return {"type": 18, "label": "Bid", "component": component} | more


def text_input(**more: Any) -> Json:
    return {"type": 4, "custom_id": "t", "style": 1} | more


def form(*components: Json, **more: Any) -> Json:
    return {"custom_id": "m", "title": "Bids", "components": list(components)} | more


def command(name: str = "play", **more: Any) -> Json:
    return {"name": name, "description": "Play a game"} | more


def menu(name: str, kind: int) -> Json:
    return {"name": name, "type": kind}


def argument(name: str = "mode", kind: int = 3, **more: Any) -> Json:
    return {"type": kind, "name": name, "description": "A mode"} | more


def choice(name: str = "One", value: Any = "1", **more: Any) -> Json:
    return {"name": name, "value": value} | more


# Acts.


def message(**body: Any) -> Act:
    return lambda wire: wire.send(body)


def classic(*components: Json) -> Act:
    return message(content="Hello", components=list(components))


def v2(*components: Json, **more: Any) -> Act:
    return message(flags=V2, components=list(components), **more)


def with_files(number: int, **body: Any) -> Act:
    return lambda wire: wire.send(body, files=[f"{n}.png" for n in range(number)])


def edit(before: Json, **body: Any) -> Act:
    return lambda wire: wire.edit(before, body)


def modal(*components: Json, **more: Any) -> Act:
    return lambda wire: wire.answer_command({"type": 9, "data": form(*components, **more)})


def commands(*each: Json) -> Act:
    return lambda wire: wire.put_commands(list(each))


def options(*each: Json) -> Act:
    return commands(command(options=list(each)))


def thread(**body: Any) -> Act:
    return lambda wire: wire.start_thread(body)


def refused_payloads() -> Iterator[RefusedCase]:
    """Yield the cases of a single payload. Most are form errors."""
    yield from messages()
    yield from classic_components()
    yield from v2_components()
    yield from modals()
    yield from application_commands()


def messages() -> Iterator[RefusedCase]:
    old = {"content": "old"}

    yield RefusedCase("content", "2001 characters", message(content="x" * 2001))
    yield RefusedCase("content", "a field that does not exist", message(content="x", contents="x"))
    yield RefusedCase("content", "not a text", message(content=5))
    yield RefusedCase("embeds", "any", message(embeds=[{"title": "x"}]))
    yield RefusedCase("attachments", "eleven files", with_files(11, content="x"))
    yield RefusedCase(
        "attachments", "alt text", with_files(1, attachments=[{"id": "0", "description": "x" * 1025}])
    )
    yield RefusedCase(
        "attachments",
        "picture that an edit does not list",
        lambda wire: wire.edit(
            {"flags": V2, "components": [display()]},
            {"attachments": [], "components": [gallery("attachment://0.png")]},
            files=["0.png"],
        ),
    )
    yield RefusedCase("attachments", "of a missing file", message(content="x", attachments=[{"id": "0"}]))
    yield RefusedCase("empty message", "nothing", message(content=""), code=50006)
    yield RefusedCase("empty message", "only spaces", message(content="  \n"), code=50006)
    yield RefusedCase("empty message", "V2 without components", v2(), code=50006)
    yield RefusedCase("empty message", "emptied by an edit", edit(old, content=None), code=50006)
    for kind in ("users", "roles"):
        both = {"parse": [kind], kind: ["1"]}
        yield RefusedCase("allowed mentions", f"{kind} twice", message(content="x", allowed_mentions=both))
        many = {kind: [str(n) for n in range(1, 102)]}
        yield RefusedCase("allowed mentions", f"101 {kind}", message(content="x", allowed_mentions=many))
    yield RefusedCase("nonce", "26 characters", message(content="x", nonce="x" * 26))
    archive = "Public thread CREATE_PUBLIC_THREADS"
    private = "A private thread"
    yield RefusedCase(private, "name of 0", thread(name="", type=12))
    yield RefusedCase(private, "name of 101", thread(name="x" * 101, type=12))
    yield RefusedCase(
        private, "archived after an unknown time", thread(name="x", type=12, auto_archive_duration=61)
    )
    yield RefusedCase(archive, "without a message", thread(name="x", type=11))


def classic_components() -> Iterator[RefusedCase]:
    def one(name: str, what: str, component: Json) -> RefusedCase:
        return RefusedCase(name, what, classic(row(component)))

    yield one("custom_id", "empty", button(""))
    yield one("custom_id", "101 characters", button("x" * 101))
    yield RefusedCase("custom_id", "twice", classic(row(button("a"), button("a"))))
    yield RefusedCase("Classic message", "six rows", classic(*[row(button(f"b{n}")) for n in range(6)]))
    yield RefusedCase("Classic message", "row of none", classic(row()))
    yield RefusedCase("Classic message", "row of six", classic(row(*buttons(6))))
    yield RefusedCase(
        "Classic message", "two selects in a row", classic(row(select(), select(custom_id="z")))
    )
    yield RefusedCase("Classic message", "select beside a button", classic(row(select(), button())))
    yield RefusedCase("Classic message", "button outside a row", classic(button()))
    yield one("Button", "label of 81", button(label="x" * 81))
    yield one("Button", "neither label nor emoji", button(label=None))
    yield one("Button", "label of spaces", button(label="  "))
    yield one("Button", "no custom_id", button(None))
    yield one("Button", "link without URL", button(None, style=5))
    yield one("Button", "link with custom_id", button(style=5, url="https://example.com"))
    yield one("Button", "invalid URL", button(None, style=5, url="example"))
    yield one("Button", "URL of 513", button(None, style=5, url="https://a.b/" + "x" * 501))
    yield one("Button", "URL and no link", button(url="https://example.com"))
    yield one("Button", "unknown style", button(style=7))
    yield one("Select", "no options", select(0))
    yield one("Select", "26 options", select(26))
    yield one("Select", "same value twice", select(options=[option(), option()]))
    yield one("Select", "label of 101", select(options=[option(label="x" * 101)]))
    yield one("Select", "label of spaces", select(options=[option(label="  ")]))
    yield one("Select", "value of 101", select(options=[option("x" * 101)]))
    yield one("Select", "description of 101", select(options=[option(description="x" * 101)]))
    yield one("Select", "placeholder of 151", select(placeholder="x" * 151))
    yield one("Select", "min 26", select(min_values=26))
    yield one("Select", "max 0", select(max_values=0))
    yield one("Select", "max 26", select(25, max_values=26))
    yield one("Select", "max above the options", select(2, max_values=3))
    yield one("Select", "min above max", select(2, min_values=2, max_values=1))
    yield one("Select", "more defaults than max", select(options=[option(v, default=True) for v in "ab"]))
    emoji = "Emoji in components and reactions"
    yield one(emoji, "a standard one", button(emoji={"id": None, "name": "🌴"}))
    yield one(emoji, "a standard one in an option", select(options=[option(emoji={"name": "🌴"})]))
    yield one(emoji, "of a server without the bot", button(emoji={"id": "1", "name": "palm"}))
    yield one("id", "33 bits", button(id=2**32))
    yield RefusedCase("id", "twice", classic(row(button("a", id=7), button("b", id=7))))


def v2_components() -> Iterator[RefusedCase]:
    flag = "Components V2 (flag 1<<15)"
    shown = [display()]
    old_v2 = {"flags": V2, "components": shown}
    top = "V2 top level"
    picture = "https://example.com/a.png"
    yield RefusedCase(flag, "content", v2(*shown, content="x"))
    yield RefusedCase(flag, "stickers", v2(*shown, sticker_ids=["1"]))
    yield RefusedCase(flag, "poll", v2(*shown, poll={"question": {"text": "?"}, "answers": []}))
    yield RefusedCase(
        flag, "41 components, nested", v2(container(*[display()] * 20), container(*[display()] * 19))
    )
    yield RefusedCase(flag, "4001 characters", v2(display("x" * 2000), container(display("x" * 2001))))
    yield RefusedCase(flag, "content by an edit", edit(old_v2, content="x"))
    yield RefusedCase(flag, "flag removed", edit(old_v2, flags=0))
    yield RefusedCase(flag, "content left by an edit", edit({"content": "x"}, flags=V2, components=shown))
    yield RefusedCase(flag, "no flag", message(content="x", components=shown))
    yield RefusedCase(top, "button", v2(button()))
    yield RefusedCase(top, "select", v2(select()))
    yield RefusedCase(top, "unknown type", v2({"type": 99}))
    yield RefusedCase(top, "empty text", v2(display("")))
    yield RefusedCase(top, "text of spaces", v2(display(" \n")))
    yield RefusedCase("Section", "no text", v2(section()))
    yield RefusedCase("Section", "four texts", v2(section(*[display()] * 4)))
    yield RefusedCase("Section", "no accessory", v2({"type": 9, "components": shown}))
    yield RefusedCase("Section", "select as accessory", v2(section(display(), accessory=select())))
    yield RefusedCase("Section", "button among the texts", v2(section(button("a"))))
    yield RefusedCase("Container", "in a container", v2(container(container(display()))))
    yield RefusedCase("Container", "empty", v2(container()))
    yield RefusedCase("Container", "spoiler", v2(container(display(), spoiler=True)))
    yield RefusedCase("Container", "colour", v2(container(display(), accent_color=1)))
    yield RefusedCase("Media Gallery", "no item", v2(gallery()))
    yield RefusedCase("Media Gallery", "eleven items", v2(gallery(*[picture] * 11)))
    yield RefusedCase("Media Gallery", "alt text", v2(gallery(picture, description="x" * 1025)))
    yield RefusedCase("Media Gallery", "another scheme", v2(gallery("ftp://example.com/a.png")))
    yield RefusedCase("Media Gallery", "of a missing file", v2(gallery("attachment://a.png")))
    yield RefusedCase("File", "on the web", v2({"type": 13, "file": {"url": picture}}))
    yield RefusedCase("File", "of a missing file", v2({"type": 13, "file": {"url": "attachment://a.txt"}}))


def modals() -> Iterator[RefusedCase]:
    valid = label(text_input())

    def field(name: str, what: str, component: Json) -> RefusedCase:
        return RefusedCase(name, what, modal(label(component)))

    yield RefusedCase("Modal", "title of 46", modal(valid, title="x" * 46))
    yield RefusedCase("Modal", "no title", modal(valid, title=""))
    yield RefusedCase("Modal", "title of spaces", modal(valid, title="  "))
    yield RefusedCase("Modal", "label of spaces", modal(label(text_input(), label="  ")))
    yield RefusedCase("Modal", "custom_id of 101", modal(valid, custom_id="x" * 101))
    yield RefusedCase("Modal", "no components", modal())
    yield RefusedCase(
        "Modal", "six components", modal(*[label(text_input(custom_id=f"t{n}")) for n in range(6)])
    )
    yield RefusedCase("Modal", "button", modal(row(button())))
    yield RefusedCase("Modal", "container", modal(container(display())))
    yield RefusedCase("Modal", "label of 46", modal(label(text_input(), label="x" * 46)))
    yield RefusedCase("Modal", "description of 101", modal(label(text_input(), description="x" * 101)))
    yield RefusedCase("Modal", "same custom_id twice", modal(valid, valid))
    yield RefusedCase("Modal", "input in a row", modal(row(text_input(label="x"))))
    yield field("Text Input", "max of 4001", text_input(max_length=4001))
    yield field("Text Input", "min below 0", text_input(min_length=-1))
    yield field("Text Input", "min above max", text_input(min_length=5, max_length=4))
    yield field("Text Input", "placeholder of 101", text_input(placeholder="x" * 101))
    yield field("Text Input", "value above max", text_input(value="xxx", max_length=2))
    yield field("Text Input", "value below min", text_input(value="x", min_length=2))
    yield field("Modal selects", "disabled", select(disabled=True))
    yield field("Modal selects", "min 0 though required", select(min_values=0))
    groups = "Radio Group 2 to 10 options, Checkbox Group 1 to 10, File Upload 0 to 10 files"
    yield RefusedCase(groups, "in a message", v2(row({"type": 21, "custom_id": "g"})))


def application_commands() -> Iterator[RefusedCase]:
    number = "Number, global and again per server"
    named = count()
    yield RefusedCase(number, "101 slash", commands(*[command(f"c{n}") for n in range(101)]), code=30032)
    for kind in (2, 3):
        many = [menu(f"Menu {next(named)}", kind) for _ in range(16)]
        yield RefusedCase(number, f"16 of type {kind}", commands(*many), code=30032)
    for name in ("", "x" * 33, "two words", "Upper", "a.b", "🌴"):
        yield RefusedCase("Name", repr(name), commands(command(name)))
    yield RefusedCase("Name", "menu of 33", commands(menu("x" * 33, 2)))
    yield RefusedCase("Name", "twice", commands(command(), command()))
    yield RefusedCase("Description", "none", commands(command(description="")))
    yield RefusedCase("Description", "101 characters", commands(command(description="x" * 101)))
    yield RefusedCase("Description", "of a menu", commands({"name": "x", "type": 2, "description": "x"}))
    yield RefusedCase("Options", "26", options(*[argument(f"a{n}") for n in range(26)]))
    yield RefusedCase("Options", "required last", options(argument("a"), argument("b", required=True)))
    yield RefusedCase("Options", "same name twice", options(argument(), argument()))
    yield RefusedCase("Options", "beside a sub command", options(argument("a"), argument("b", 1)))
    inner = argument("inner", 1)
    yield RefusedCase("Options", "sub command in a sub command", options(argument("a", 1, options=[inner])))
    group = argument("g", 2, options=[argument("h", 2)])
    yield RefusedCase("Options", "group in a group", options(group))
    yield RefusedCase("Options", "unknown type", options(argument("a", 12)))
    yield RefusedCase("Choices", "26", options(argument(choices=[choice(f"c{n}") for n in range(26)])))
    yield RefusedCase("Choices", "name of 0", options(argument(choices=[choice("")])))
    yield RefusedCase("Choices", "name of 101", options(argument(choices=[choice("x" * 101)])))
    yield RefusedCase("Choices", "value of 101", options(argument(choices=[choice("x", "x" * 101)])))
    yield RefusedCase("Choices", "text for a number", options(argument(kind=4, choices=[choice("x", "1")])))
    yield RefusedCase("Choices", "and autocomplete", options(argument(choices=[choice()], autocomplete=True)))
    large = [choice("x" * 100, f"{n:0100}") for n in range(20)]
    yield RefusedCase(
        "Text of one command with everything in it",
        "8001 characters",
        options(argument("a", choices=large), argument("b", choices=large)),
    )
    yield RefusedCase("String option", "min below 0", options(argument(min_length=-1)))
    yield RefusedCase("String option", "min of 6001", options(argument(min_length=6001)))
    yield RefusedCase("String option", "max of 0", options(argument(max_length=0)))
    yield RefusedCase("String option", "max of 6001", options(argument(max_length=6001)))
    yield RefusedCase("String option", "integer of 2^53", options(argument(kind=4, max_value=2**53)))
    yield RefusedCase("Localizations", "any", commands(command(name_localizations={"de": "spielen"})))
    where = "contexts 0 server, 1 DM with the bot, 2 other DMs; integration_types 0 server, 1 user install"
    yield RefusedCase(where, "unknown context", commands(command(contexts=[3])))
    yield RefusedCase(where, "unknown type", commands(command(integration_types=[2])))
