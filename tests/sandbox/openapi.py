"""Discord's specification of its HTTP API, used to check the bodies that clients send."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

SPECIFICATION = Path(__file__).parents[3] / "shared" / "discord" / "openapi.json"
_URI = "urn:discord"


@cache
def validator_for(method: str, path_template: str) -> Draft202012Validator | None:
    """Return a validator for the JSON body of a request, e.g. ("POST", "/channels/{channel_id}/messages").

    The names of the template's parameters do not matter. For a route without a body every body is invalid. Returns
    None if the specification is not available. Raises LookupError for an unknown route.
    """
    if not SPECIFICATION.exists():
        return None
    operation = _paths()[_nameless(path_template)]
    body = _document()["paths"][operation][method.lower()].get("requestBody")
    schema: Any = False
    if body is not None:
        pointer = (
            f"/paths/{_escaped(operation)}/{method.lower()}/requestBody/content/application~1json/schema"
        )
        schema = {"$ref": f"{_URI}#{pointer}"}
    return Draft202012Validator(schema, registry=_registry())


def _nameless(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def _escaped(path: str) -> str:
    return path.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(SPECIFICATION.read_text(encoding="utf-8"))
    # Discord accepts ids as numbers too, and clients send them, but the specification does not say so.
    document["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
    return document


@cache
def _paths() -> dict[str, str]:
    return {_nameless(path): path for path in _document()["paths"]}


@cache
def _registry() -> Registry[Any]:
    resource: Resource[Any] = DRAFT202012.create_resource(_document())
    registry: Registry[Any] = Registry().with_resource(_URI, resource)
    return registry
