"""The version of Palmhouse."""

VERSION = "0.1.0"
"""`make release` sets it; the package takes its version from here."""
