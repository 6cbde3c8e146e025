"""Checks of the components of messages (classic and V2) and of modals, written as tables.

Names follow Discord's component reference. Sizes are in characters or items.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandbox.checks import (
    Check,
    Form,
    Json,
    Steps,
    apply,
    boolean,
    distinct,
    integer,
    list_of,
    one_of,
    record,
    snowflake,
    text,
    union,
    url,
)

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, CHANNEL_SELECT = 5, 6, 8
SECTION, TEXT_DISPLAY, GALLERY, FILE, CONTAINER, LABEL = 9, 10, 12, 13, 17, 18
LINK = 5
SELECTS = (STRING_SELECT, ROLE_SELECT, CHANNEL_SELECT)
"""Selects that messages can have here: not those of users."""

TOTAL = 40
TOTAL_TEXT = 4000
CLASSIC_ROWS = 5


def _kind(kind: int, required: Mapping[str, Check], optional: Mapping[str, Check], *rules: Check) -> Check:
    """Build a check of a component: its type, the optional `id` of every component, and its own fields."""
    ids = {"id": integer(0, 2**31 - 1)}
    return record({"type": one_of(kind), **required}, {**ids, **optional}, *rules)


def words(low: int, high: int) -> Check:
    """Build a check of a text that does not consist of spaces only. Discord strips spaces before it checks."""

    def check_words(value: Any, form: Form) -> None:
        apply(value, form, text(low, high))
        if form.valid and not value.strip():
            form.fail("BASE_TYPE_REQUIRED", "This field is required")

    return check_words


# Rules for fields in combination.


def _button_fields(button: Mapping[str, Any], form: Form) -> None:
    style = button["style"]
    wanted, other = ("url", "custom_id") if style == LINK else ("custom_id", "url")
    if button.get(wanted) is None:
        form.at(wanted).fail("BASE_TYPE_REQUIRED", f"A button of style {style} needs a {wanted}.")
    if button.get(other) is not None:
        form.at(other).fail("BUTTON_COMPONENT_FIELD", f"A button of style {style} has no {other}.")
    if not ((button.get("label") or "").strip() or button.get("emoji")):
        form.fail("BUTTON_COMPONENT_LABEL", "A label or emoji is required.")


def _row_width(row: Mapping[str, Any], form: Form) -> None:
    selects = sum(each["type"] in SELECTS for each in row["components"])
    if selects and len(row["components"]) > 1:
        message = "The specified component exceeds the maximum width"
        form.at("components").fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)


def _range_of_values(component: Mapping[str, Any], form: Form) -> None:
    """Check that min_values, max_values, the options and the number of default options fit together."""
    options = component.get("options")
    low, high = _or(component.get("min_values"), 1), _or(component.get("max_values"), 1)
    chosen = sum(bool(option.get("default")) for option in options or ())
    chosen += len(component.get("default_values") or ())
    if low > high:
        form.at("min_values").fail("COMPONENT_MIN_VALUES", "min_values must not be above max_values.")
    if options is not None and "max_values" in component and high > len(options):
        form.at("max_values").fail("BASE_TYPE_MAX_VALUE", "There are fewer options than max_values.")
    if chosen > high:
        form.fail("COMPONENT_TOO_MANY_DEFAULTS", f"At most {high} may be selected by default.")


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _distinct_options(component: Mapping[str, Any], form: Form) -> None:
    options = enumerate(component["options"])
    values = ((option["value"], form.at("options", index, "value")) for index, option in options)
    distinct(values, "COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")


def _modal_select(component: Mapping[str, Any], form: Form) -> None:
    if component.get("disabled"):
        form.at("disabled").fail("COMPONENT_DISABLED_IN_MODAL", "Nothing in a modal may be disabled.")
    if component.get("min_values") == 0 and component.get("required") is not False:
        form.at("min_values").fail("COMPONENT_MIN_VALUES", "min_values may be 0 only with required: false.")


def _unused(value: Any, form: Form) -> None:
    """Refuse a spoiler or a colour: clients here do not show them. (discord.py sends such fields always.)"""
    if value is not False:
        form.fail("BASE_TYPE_CHOICES", "There are no spoilers and no colours here.")


def _value_within_length(field: Mapping[str, Any], form: Form) -> None:
    low, high = _or(field.get("min_length"), 0), _or(field.get("max_length"), 4000)
    if low > high:
        form.at("min_length").fail("TEXT_INPUT_MIN_LENGTH", "min_length must not be above max_length.")
    if field.get("value") and not low <= len(field["value"]) <= high:
        form.at("value").fail("BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")


# Parts.

_CUSTOM_ID = text(1, 100)
_EMOJI = record({"name": text(1, 32), "id": snowflake}, {})  # one of the application's, no standard one
_MEDIA = record({"url": url("attachment", "http", "https")}, {})
_ATTACHED = record({"url": url("attachment")}, {})
_OPTION = record(
    {"label": words(1, 100), "value": text(1, 100)},
    {"description": text(0, 100), "default": boolean, "emoji": _EMOJI},
)
_OPTIONS = list_of(_OPTION, 1, 25)
_SELECT = {
    "min_values": integer(0, 25),
    "max_values": integer(1, 25),
    "placeholder": text(0, 150),
    "disabled": boolean,
    "required": boolean,
}
_DEFAULT = list_of(record({"id": snowflake, "type": one_of("role", "channel")}, {}), 0, 25)


def _string_select(*rules: Check) -> Check:
    required = {"custom_id": _CUSTOM_ID, "options": _OPTIONS}
    return _kind(STRING_SELECT, required, _SELECT, _distinct_options, _range_of_values, *rules)


def _select(kind: int, more: Mapping[str, Check]) -> Check:
    optional = {**_SELECT, "default_values": _DEFAULT, **more}
    return _kind(kind, {"custom_id": _CUSTOM_ID}, optional, _range_of_values)


# Components of messages.

_BUTTON = _kind(
    BUTTON,
    {"style": integer(1, LINK)},
    {
        "custom_id": _CUSTOM_ID,
        "label": text(0, 80),
        "emoji": _EMOJI,
        "url": url("http", "https", "discord", most=512),
        "disabled": boolean,
    },
    _button_fields,
)
_IN_ROW = {
    BUTTON: _BUTTON,
    STRING_SELECT: _string_select(),
    ROLE_SELECT: _select(ROLE_SELECT, {}),
    CHANNEL_SELECT: _select(CHANNEL_SELECT, {"channel_types": list_of(integer(0, 16), 0, 17)}),
}
_ROW = _kind(ROW, {"components": list_of(union(_IN_ROW), 1, 5)}, {}, _row_width)
_PICTURE = record({"media": _MEDIA}, {"description": text(1, 1024), "spoiler": _unused})
_TEXT = _kind(TEXT_DISPLAY, {"content": words(1, TOTAL_TEXT)}, {})
_IN_CONTAINER = {
    ROW: _ROW,
    SECTION: _kind(
        SECTION,
        {"components": list_of(union({TEXT_DISPLAY: _TEXT}), 1, 3), "accessory": union({BUTTON: _BUTTON})},
        {},
    ),
    TEXT_DISPLAY: _TEXT,
    GALLERY: _kind(GALLERY, {"items": list_of(_PICTURE, 1, 10)}, {}),
    FILE: _kind(FILE, {"file": _ATTACHED}, {"spoiler": _unused}),
}
_CONTAINER = _kind(
    CONTAINER,
    {"components": list_of(union(_IN_CONTAINER), 1, TOTAL)},
    {"accent_color": _unused, "spoiler": _unused},
)
_V2 = list_of(union({**_IN_CONTAINER, CONTAINER: _CONTAINER}), 0, TOTAL)
_CLASSIC = list_of(union({ROW: _ROW}), 0, CLASSIC_ROWS)

# Components of modals.

_TEXT_INPUT = _kind(
    TEXT_INPUT,
    {"style": integer(1, 2), "custom_id": _CUSTOM_ID},
    {
        "label": text(0, 0),  # of another kind of modal; clients send null
        "min_length": integer(0, 4000),
        "max_length": integer(1, 4000),
        "required": boolean,
        "value": text(0, 4000),
        "placeholder": text(0, 100),
    },
    _value_within_length,
)
_IN_LABEL = {STRING_SELECT: _string_select(_modal_select), TEXT_INPUT: _TEXT_INPUT}
_LABEL = _kind(LABEL, {"label": words(1, 45), "component": union(_IN_LABEL)}, {"description": text(1, 100)})
_MODAL = list_of(union({TEXT_DISPLAY: _TEXT, LABEL: _LABEL}), 1, 5)


def every(components: Iterable[Json]) -> list[Json]:
    """Return every component. Nested ones follow the component that contains them."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        for name in ("components", "accessory", "component"):
            if name in component:
                found += every(component[name] if name == "components" else [component[name]])
    return found


def walk(components: Sequence[Mapping[str, Any]], form: Form) -> Iterator[tuple[Mapping[str, Any], Form]]:
    """Yield every component with its place, in the same order."""
    for index, component in enumerate(components):
        yield from _walk_one(component, form.at(index))


def _walk_one(component: Mapping[str, Any], form: Form) -> Iterator[tuple[Mapping[str, Any], Form]]:
    yield component, form
    if "components" in component:
        yield from walk(component["components"], form.at("components"))
    for name in ("accessory", "component"):
        if name in component:
            yield from _walk_one(component[name], form.at(name))


def message_components(v2: bool, files: Collection[str], emojis: Collection[int]) -> Check:
    """Build a check of the components of a message with files of these names, from a bot that may use the custom emojis
    of these ids."""

    def check_files_and_emojis(components: Sequence[Mapping[str, Any]], form: Form) -> None:
        for component, place in walk(components, form):
            _check_files(component, place, files)
            _check_emojis(component, place, emojis)

    def check_components(components: Any, form: Form) -> None:
        totals = (_totals,) if v2 else ()
        apply(components, form, _V2 if v2 else _CLASSIC, _unique, *totals, check_files_and_emojis)

    return check_components


def modal_components(components: Any, form: Form) -> None:
    apply(components, form, _MODAL, _unique)


def _unique(components: Sequence[Mapping[str, Any]], form: Form) -> None:
    placed = list(walk(components, form))
    custom_ids = ((each["custom_id"], place) for each, place in placed if each.get("custom_id"))
    message = "Component custom id cannot be duplicated"
    distinct(custom_ids, "COMPONENT_CUSTOM_ID_DUPLICATED", message)
    ids = ((each["id"], place.at("id")) for each, place in placed if each.get("id"))
    distinct(ids, "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")


def _totals(components: Sequence[Json], form: Form) -> None:
    found = every(components)
    if len(found) > TOTAL:
        form.fail("COMPONENT_MAX_TOTAL", f"A message has at most {TOTAL} components, nested ones included.")
    if sum(len(component.get("content", "")) for component in found) > TOTAL_TEXT:
        message = f"All text displays of a message together have at most {TOTAL_TEXT} characters."
        form.fail("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)


def _check_files(component: Mapping[str, Any], form: Form, files: Collection[str]) -> None:
    media: list[tuple[Mapping[str, Any], Steps]] = [
        (component[name], (name,)) for name in ("media", "file") if name in component
    ]
    for index, item in enumerate(component.get("items", ())):
        media.append((item["media"], ("items", index, "media")))
    for each, steps in media:
        scheme, _, name = each["url"].partition("://")
        if scheme == "attachment" and name not in files:
            message = f"The message has no attachment named {name!r}."
            form.at(*steps, "url").fail("UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)


def _check_emojis(component: Mapping[str, Any], form: Form, emojis: Collection[int]) -> None:
    holders: list[tuple[Mapping[str, Any], Steps]] = [(component, ())]
    holders += [(option, ("options", n)) for n, option in enumerate(component.get("options", ()))]
    for holder, steps in holders:
        emoji = holder.get("emoji")
        if emoji and int(emoji["id"]) not in emojis:
            form.at(*steps, "emoji", "name").fail("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
