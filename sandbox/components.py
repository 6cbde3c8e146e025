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
from sandbox.emoji import is_standard

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23
LINK, PREMIUM = 5, 6
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)

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
    wanted = {LINK: "url", PREMIUM: "sku_id"}.get(style, "custom_id")
    for name in ("custom_id", "url", "sku_id"):
        if name == wanted and button.get(name) is None:
            form.at(name).fail("BASE_TYPE_REQUIRED", f"A button of style {style} needs a {name}.")
        elif name != wanted and button.get(name) is not None:
            form.at(name).fail("BUTTON_COMPONENT_FIELD", f"A button of style {style} has no {name}.")
    shown = bool((button.get("label") or "").strip() or button.get("emoji"))
    if shown == (style == PREMIUM):
        form.fail("BUTTON_COMPONENT_LABEL", "A label or emoji is required, except on premium buttons (none).")


def _row_width(row: Mapping[str, Any], form: Form) -> None:
    selects = sum(each["type"] in SELECTS for each in row["components"])
    if selects and len(row["components"]) > 1:
        message = "The specified component exceeds the maximum width"
        form.at("components").fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)


def _range_of_values(component: Mapping[str, Any], form: Form) -> None:
    """Check that min_values, max_values, the options and the number of default options fit together."""
    options = component.get("options")
    most = len(options or ()) if component["type"] == CHECKBOX_GROUP else 1
    low, high = _or(component.get("min_values"), 1), _or(component.get("max_values"), most)
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


def _value_within_length(field: Mapping[str, Any], form: Form) -> None:
    low, high = _or(field.get("min_length"), 0), _or(field.get("max_length"), 4000)
    if low > high:
        form.at("min_length").fail("TEXT_INPUT_MIN_LENGTH", "min_length must not be above max_length.")
    if field.get("value") and not low <= len(field["value"]) <= high:
        form.at("value").fail("BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")


# Parts.

_CUSTOM_ID = text(1, 100)
_EMOJI = record({"name": text(1, 32)}, {"id": snowflake, "animated": boolean})
_MEDIA = record({"url": url("attachment", "http", "https")}, {})
_ATTACHED = record({"url": url("attachment")}, {})
_OPTION = {"label": words(1, 100), "value": text(1, 100)}
_OPTION_MORE = {"description": text(0, 100), "default": boolean}
_VALUES = {"min_values": integer(0, 25), "max_values": integer(1, 25)}
_SELECT = {**_VALUES, "placeholder": text(0, 150), "disabled": boolean, "required": boolean}
_DEFAULT = list_of(record({"id": snowflake, "type": one_of("user", "role", "channel")}, {}), 0, 25)

_OPTIONS = list_of(record(_OPTION, {**_OPTION_MORE, "emoji": _EMOJI}), 1, 25)
_CHANNEL_TYPES = list_of(integer(0, 16), 0, 17)


def _selects(*rules: Check) -> dict[int, Check]:
    shared = {**_SELECT, "default_values": _DEFAULT}
    rules = (_range_of_values, *rules)
    string = {"custom_id": _CUSTOM_ID, "options": _OPTIONS}
    return {
        STRING_SELECT: _kind(STRING_SELECT, string, _SELECT, _distinct_options, *rules),
        **{
            kind: _kind(kind, {"custom_id": _CUSTOM_ID}, shared, *rules)
            for kind in (USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT)
        },
        CHANNEL_SELECT: _kind(
            CHANNEL_SELECT, {"custom_id": _CUSTOM_ID}, {**shared, "channel_types": _CHANNEL_TYPES}, *rules
        ),
    }


# Components of messages.

_BUTTON = _kind(
    BUTTON,
    {"style": integer(1, PREMIUM)},
    {
        "custom_id": _CUSTOM_ID,
        "label": text(0, 80),
        "emoji": _EMOJI,
        "url": url("http", "https", "discord", most=512),
        "sku_id": snowflake,
        "disabled": boolean,
    },
    _button_fields,
)
_ROW = _kind(ROW, {"components": list_of(union({BUTTON: _BUTTON, **_selects()}), 1, 5)}, {}, _row_width)
_DESCRIBED = {"description": text(1, 1024), "spoiler": boolean}
_TEXT = _kind(TEXT_DISPLAY, {"content": words(1, TOTAL_TEXT)}, {})
_IN_CONTAINER = {
    ROW: _ROW,
    SECTION: _kind(
        SECTION,
        {
            "components": list_of(union({TEXT_DISPLAY: _TEXT}), 1, 3),
            "accessory": union({BUTTON: _BUTTON, THUMBNAIL: _kind(THUMBNAIL, {"media": _MEDIA}, _DESCRIBED)}),
        },
        {},
    ),
    TEXT_DISPLAY: _TEXT,
    GALLERY: _kind(GALLERY, {"items": list_of(record({"media": _MEDIA}, _DESCRIBED), 1, 10)}, {}),
    FILE: _kind(FILE, {"file": _ATTACHED}, {"spoiler": boolean}),
    SEPARATOR: _kind(SEPARATOR, {}, {"divider": boolean, "spacing": integer(1, 2)}),
}
_CONTAINER = _kind(
    CONTAINER,
    {"components": list_of(union(_IN_CONTAINER), 1, TOTAL)},
    {"accent_color": integer(0, 0xFFFFFF), "spoiler": boolean},
)
_V2 = list_of(union({**_IN_CONTAINER, CONTAINER: _CONTAINER}), 0, TOTAL)
_CLASSIC = list_of(union({ROW: _ROW}), 0, CLASSIC_ROWS)

# Components of modals.

_INPUT = {"style": integer(1, 2), "custom_id": _CUSTOM_ID}
_INPUT_MORE = {
    "label": words(1, 45),
    "min_length": integer(0, 4000),
    "max_length": integer(1, 4000),
    "required": boolean,
    "value": text(0, 4000),
    "placeholder": text(0, 100),
}
_PLAIN_OPTION = record(_OPTION, _OPTION_MORE)
_TEN_VALUES = {"min_values": integer(0, 10), "max_values": integer(1, 10), "required": boolean}
_IN_LABEL = {
    **_selects(_modal_select),
    TEXT_INPUT: _kind(TEXT_INPUT, _INPUT, _INPUT_MORE, _value_within_length),
    FILE_UPLOAD: _kind(FILE_UPLOAD, {"custom_id": _CUSTOM_ID}, _TEN_VALUES, _range_of_values, _modal_select),
    RADIO_GROUP: _kind(
        RADIO_GROUP,
        {"custom_id": _CUSTOM_ID, "options": list_of(_PLAIN_OPTION, 2, 10)},
        {"required": boolean},
        _distinct_options,
        _range_of_values,
    ),
    CHECKBOX_GROUP: _kind(
        CHECKBOX_GROUP,
        {"custom_id": _CUSTOM_ID, "options": list_of(_PLAIN_OPTION, 1, 10)},
        _TEN_VALUES,
        _distinct_options,
        _range_of_values,
        _modal_select,
    ),
    CHECKBOX: _kind(CHECKBOX, {"custom_id": _CUSTOM_ID}, {"default": boolean}),
}
_INPUT_IN_ROW = _kind(
    TEXT_INPUT, {**_INPUT, "label": _INPUT_MORE["label"]}, _INPUT_MORE, _value_within_length
)
_MODAL = list_of(
    union(
        {
            ROW: _kind(ROW, {"components": list_of(union({TEXT_INPUT: _INPUT_IN_ROW}), 1, 1)}, {}),
            TEXT_DISPLAY: _TEXT,
            LABEL: _kind(
                LABEL, {"label": words(1, 45), "component": union(_IN_LABEL)}, {"description": text(1, 100)}
            ),
        }
    ),
    1,
    5,
)


def every(components: Iterable[Json]) -> list[Json]:
    """Return every component. Nested ones follow the component that contains them."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        if "components" in component:
            found += every(component["components"])
        found += every(component[name] for name in ("accessory", "component") if name in component)
    return found


def walk(components: Sequence[Mapping[str, Any]], form: Form) -> Iterator[tuple[Mapping[str, Any], Form]]:
    """Yield every component with its place, in the same order."""
    for index, component in enumerate(components):
        yield from _walk_one(component, form.at(index))


def _walk_one(component: Mapping[str, Any], form: Form) -> Iterator[tuple[Mapping[str, Any], Form]]:
    yield component, form
    yield from walk(component.get("components", ()), form.at("components"))
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
        if emoji and not (int(emoji["id"]) in emojis if emoji.get("id") else is_standard(emoji["name"])):
            form.at(*steps, "emoji", "name").fail("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
