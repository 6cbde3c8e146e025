"""Refusals, and the checking of forms: JSON objects of which every field is known and limited.

A check is a function of a value and the `Form` it stands in; it notes what is wrong there. The functions
below build checks of fields, lists and whole objects, so that a payload's limits are written as a table.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

INVALID_FORM = 50035

Found: TypeAlias = list[tuple[tuple[str, ...], str, str]]


class Refused(Exception):
    """A request Discord would not carry out. `errors` is Discord's nested form error: field names and list
    indices that lead to {"_errors": [{"code", "message"}]}."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, object] | None = None) -> None:
        super().__init__(f"{status} {code}: {message} {errors or ''}".rstrip())
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, object]:
        """The JSON error as Discord sends it."""
        body: dict[str, object] = {"message": self.message, "code": self.code}
        return body | {"errors": self.errors} if self.errors else body


class RateLimited(Refused):
    """A request that would be carried out `wait` seconds later."""

    def __init__(self, code: int, message: str, wait: float) -> None:
        super().__init__(429, code, message)
        self.wait = wait

    def body(self) -> dict[str, object]:
        """The JSON error as Discord sends it."""
        return super().body() | {"retry_after": self.wait, "global": False}


class Form:
    """A place in a JSON object, and the errors found in the whole object so far."""

    def __init__(self, path: tuple[str, ...] = (), found: Found | None = None) -> None:
        self._path = path
        self._found: Found = [] if found is None else found

    def at(self, *steps: str | int) -> "Form":
        """A place further in: a field's name or a list's index for each step."""
        return Form((*self._path, *map(str, steps)), self._found)

    def fail(self, code: str, message: str) -> None:
        """Note that the value here is refused."""
        self._found.append((self._path, code, message))

    @property
    def sound(self) -> bool:
        """Whether nothing in here has been refused so far."""
        depth = len(self._path)
        return all(path[:depth] != self._path for path, _, _ in self._found)

    def close(self) -> None:
        """Raise Refused (50035) when anything was refused anywhere."""
        if self._found:
            raise Refused(400, INVALID_FORM, "Invalid Form Body", self._tree())

    def _tree(self) -> dict[str, object]:
        tree: dict[str, Any] = {}
        for path, code, message in self._found:
            node = tree
            for step in path:
                node = node.setdefault(step, {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return tree


Check: TypeAlias = Callable[[Any, Form], None]


def check(value: Any, *checks: Check) -> None:
    """Refuse `value` (50035) unless it passes the checks; later ones see only what earlier ones passed."""
    form = Form()
    apply(value, form, *checks)
    form.close()


def apply(value: Any, form: Form, *checks: Check) -> None:
    """Run the checks in order until one finds something."""
    for each in checks:
        if form.sound:
            each(value, form)


def text(low: int, high: int) -> Check:
    """A string of `low` to `high` characters."""

    def check_text(value: Any, form: Form) -> None:
        if not isinstance(value, str):
            form.fail("STRING_TYPE_CONVERT", f"Could not interpret {value!r} as string.")
        elif not low <= len(value) <= high:
            form.fail("BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    return check_text


def integer(low: int, high: int) -> Check:
    """A whole number from `low` to `high`."""

    def check_integer(value: Any, form: Form) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            form.fail("NUMBER_TYPE_COERCE", f"Value {value!r} is not int.")
        elif not low <= value <= high:
            form.fail("NUMBER_TYPE_RANGE", f"Value must be between {low} and {high}.")

    return check_integer


def number(value: Any, form: Form) -> None:
    """Any number, whole or not."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        form.fail("NUMBER_TYPE_COERCE", f"Value {value!r} is not float.")


def boolean(value: Any, form: Form) -> None:
    """True or false."""
    if not isinstance(value, bool):
        form.fail("BOOLEAN_TYPE_CONVERT", "Must be either true or false.")


def snowflake(value: Any, form: Form) -> None:
    """An id: digits, as a string or (Discord takes that too) as a number."""
    if isinstance(value, bool) or not str(value).isdecimal():
        form.fail("NUMBER_TYPE_COERCE", f"Value {value!r} is not snowflake.")


def url(*schemes: str, most: int = 2048) -> Check:
    """A URL of one of the schemes, of at most `most` characters."""

    def check_url(value: Any, form: Form) -> None:
        apply(value, form, text(1, most))
        if not form.sound:
            return
        parts = urlsplit(value)
        if parts.scheme not in schemes:
            form.fail("URL_TYPE_INVALID_SCHEME", f"Scheme {parts.scheme!r} must be one of {schemes}.")
        elif not parts.netloc:
            form.fail("URL_TYPE_INVALID_URL", "Not a well formed URL.")

    return check_url


def one_of(*values: Hashable) -> Check:
    """Exactly one of the values."""

    def check_choice(value: Any, form: Form) -> None:
        if isinstance(value, bool) or value not in values:
            form.fail("BASE_TYPE_CHOICES", f"Value must be one of {values}.")

    return check_choice


def list_of(item: Check, low: int, high: int) -> Check:
    """A list of `low` to `high` items, each of which passes `item`."""

    def check_list(value: Any, form: Form) -> None:
        if not isinstance(value, Sequence) or isinstance(value, str):
            form.fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.")
        elif not low <= len(value) <= high:
            form.fail("BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        else:
            for index, each in enumerate(value):
                item(each, form.at(index))

    return check_list


def record(required: Mapping[str, Check], optional: Mapping[str, Check], *rules: Check) -> Check:
    """An object with these fields and no others; optional ones may be null. `rules` tie fields together and
    run only when each field is sound by itself."""
    known = {**required, **optional}

    def check_record(value: Any, form: Form) -> None:
        if not isinstance(value, Mapping):
            form.fail("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType.")
            return
        for name in required:
            if value.get(name) is None:
                form.at(name).fail("BASE_TYPE_REQUIRED", "This field is required.")
        for name, each in value.items():
            if name not in known:
                form.at(name).fail("UNKNOWN_FIELD", f"There is no field {name!r} here.")
            elif each is not None:
                known[name](each, form.at(name))
        apply(value, form, *rules)

    return check_record


def union(kinds: Mapping[int, Check]) -> Check:
    """An object whose `type` says which of the checks it must pass."""

    def check_union(value: Any, form: Form) -> None:
        kind = value.get("type") if isinstance(value, Mapping) else None
        if isinstance(kind, int) and kind in kinds:
            kinds[kind](value, form)
        else:
            message = f'Value of field "type" must be one of {tuple(kinds)}.'
            form.at("type").fail("UNION_TYPE_CHOICES", message)

    return check_union


def distinct(values: Iterator[tuple[Hashable, Form]], code: str, message: str) -> None:
    """Fail at every value that came before."""
    seen = set()
    for value, form in values:
        if value in seen:
            form.fail(code, message)
        seen.add(value)
