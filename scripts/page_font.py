# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools==4.68.0"]
# ///
"""Make sandbox/page/letters.ttf, the font with which the sandbox's page shows emojis and signs that a machine lacks.

    python scripts/page_font.py

It has those that the sources use, from bot/pictures/fonts/PalmhouseNames.ttf, and the same licence (OFL.txt there).
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parent.parent
ROOMS = ("bot", "cogs", "games")
FIRST_SIGN = 0x2010
OVERLAP = 0x40
"""A flag of a glyph's first point. Browsers refuse a font that has it on others."""


def used() -> set[int]:
    """Return the signs in the sources."""
    sources = (path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {ord(sign) for source in sources for sign in source if ord(sign) >= FIRST_SIGN}


def main() -> None:
    font = TTFont(ROOT / "bot" / "pictures" / "fonts" / "PalmhouseNames.ttf")
    subsetter = Subsetter(Options(layout_features=[], hinting=False))
    subsetter.populate(unicodes=used())
    subsetter.subset(font)
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        if glyph.numberOfContours > 0:
            glyph.flags = bytearray(flag & ~OVERLAP for flag in glyph.flags)
    font.save(ROOT / "sandbox" / "page" / "letters.ttf")


if __name__ == "__main__":
    main()
