"""Refused requests, and checks of request bodies: JSON objects whose fields are all known and limited.

A check is a function of a value and of its place in the body, a `Form`, in which it records errors. The functions below
build checks of fields, lists and objects: the limits of a payload are written as a table.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

INVALID_FORM = 50035

Json: TypeAlias = dict[str, Any]
Steps: TypeAlias = tuple[str | int, ...]
"""A way into a JSON object: names of fields and indices in lists."""
Errors: TypeAlias = list[tuple[Steps, str, str]]


class Refused(Exception):
    """Raised for a request that Discord would refuse, with HTTP status and Discord's error code. `errors` is Discord's
    nested form error: field names and list indices that lead to {"_errors": [{"code", "message"}]}."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, object] | None = None) -> None:
        super().__init__(f"{status} {code}: {message} {errors or ''}".rstrip())
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, object]:
        """Return the JSON of the error as Discord sends it."""
        body: dict[str, object] = {"message": self.message, "code": self.code}
        return body | {"errors": self.errors} if self.errors else body


class RateLimited(Refused):
    """Raised for a request that would be carried out `wait` seconds later."""

    def __init__(self, code: int, message: str, wait: float) -> None:
        super().__init__(429, code, message)
        self.wait = wait

    def body(self) -> dict[str, object]:
        """Return the JSON of the error as Discord sends it."""
        return super().body() | {"retry_after": self.wait, "global": False}


class Form:
    """A place in a JSON object, and the errors found so far in the whole object."""

    __slots__ = ("_errors", "_path")

    def __init__(self, path: Steps = (), errors: Errors | None = None) -> None:
        self._path = path
        self._errors: Errors = [] if errors is None else errors

    def at(self, *steps: str | int) -> "Form":
        """Return a nested place. Each step is the name of a field or the index in a list."""
        return Form(self._path + steps, self._errors)

    def fail(self, code: str, message: str) -> None:
        """Record an error of the value here."""
        self._errors.append((self._path, code, message))

    @property
    def valid(self) -> bool:
        """True while no error was recorded in here."""
        if not self._errors:
            return True
        depth = len(self._path)
        return all(path[:depth] != self._path for path, _, _ in self._errors)

    def close(self) -> None:
        """Raise Refused (50035) if any error was recorded anywhere."""
        if self._errors:
            raise Refused(400, INVALID_FORM, "Invalid Form Body", self._tree())

    def _tree(self) -> dict[str, object]:
        tree: dict[str, Any] = {}
        for path, code, message in self._errors:
            node = tree
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return tree


Check: TypeAlias = Callable[[Any, Form], None]


def check(value: Any, *checks: Check) -> None:
    """Raise Refused (50035) unless `value` passes the checks. A check runs only if all before it passed."""
    form = Form()
    apply(value, form, *checks)
    form.close()


def apply(value: Any, form: Form, *checks: Check) -> None:
    """Run the checks in order until one records an error."""
    for each in checks:
        if form.valid:
            each(value, form)


def text(low: int, high: int) -> Check:
    """Build a check of a string of `low` to `high` characters."""

    def check_text(value: Any, form: Form) -> None:
        if not isinstance(value, str):
            form.fail("STRING_TYPE_CONVERT", f"Could not interpret {value!r} as string.")
        elif not low <= len(value) <= high:
            form.fail("BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    return check_text


def integer(low: int, high: int) -> Check:
    """Build a check of a whole number from `low` to `high`."""

    def check_integer(value: Any, form: Form) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            form.fail("NUMBER_TYPE_COERCE", f"Value {value!r} is not int.")
        elif not low <= value <= high:
            form.fail("NUMBER_TYPE_RANGE", f"Value must be between {low} and {high}.")

    return check_integer


def boolean(value: Any, form: Form) -> None:
    """Check that the value is true or false."""
    if not isinstance(value, bool):
        form.fail("BOOLEAN_TYPE_CONVERT", "Must be either true or false.")


def snowflake(value: Any, form: Form) -> None:
    """Check that the value is an id: digits in a string or, as Discord accepts it too, a number."""
    if isinstance(value, bool) or not str(value).isdecimal():
        form.fail("NUMBER_TYPE_COERCE", f"Value {value!r} is not snowflake.")


def url(*schemes: str, most: int = 2048) -> Check:
    """Build a check of a URL with one of the schemes and at most `most` characters."""

    def check_url(value: Any, form: Form) -> None:
        apply(value, form, text(1, most))
        if not form.valid:
            return
        parts = urlsplit(value)
        if parts.scheme not in schemes:
            form.fail("URL_TYPE_INVALID_SCHEME", f"Scheme {parts.scheme!r} must be one of {schemes}.")
        elif not parts.netloc:
            form.fail("URL_TYPE_INVALID_URL", "Not a well formed URL.")

    return check_url


def one_of(*values: Hashable) -> Check:
    """Build a check of a value that must be one of these."""

    def check_choice(value: Any, form: Form) -> None:
        if isinstance(value, bool) or value not in values:
            form.fail("BASE_TYPE_CHOICES", f"Value must be one of {values}.")

    return check_choice


def list_of(item: Check, low: int, high: int) -> Check:
    """Build a check of a list of `low` to `high` items, each of which passes `item`."""

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
    """Build a check of an object with these fields and no others. Optional fields may be null.

    `rules` check fields in combination. They run only if each field is valid by itself."""
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
    """Build a check of an object whose `type` selects one of the checks."""

    def check_union(value: Any, form: Form) -> None:
        kind = value.get("type") if isinstance(value, Mapping) else None
        if isinstance(kind, int) and kind in kinds:
            kinds[kind](value, form)
        else:
            message = f'Value of field "type" must be one of {tuple(kinds)}.'
            form.at("type").fail("UNION_TYPE_CHOICES", message)

    return check_union


def distinct(values: Iterator[tuple[Hashable, Form]], code: str, message: str) -> None:
    """Record an error at every value that repeats an earlier one."""
    seen = set()
    for value, form in values:
        if value in seen:
            form.fail(code, message)
        seen.add(value)
