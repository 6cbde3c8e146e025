# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools==4.68.0"]
# ///
"""Make bot/pictures/fonts/PalmhouseNames.ttf, the font for names with characters that Inter lacks.

    apt-get download fonts-noto-core fonts-noto-cjk      # Debian 12; unpack each with `dpkg-deb -x FILE noto`
    npm pack @expo-google-fonts/noto-emoji@0.4.7         # unpack with `tar -x -C noto -f FILE`
    python scripts/names_font.py noto bot/pictures/fonts

It is one font for all scripts, so that a line with several scripts is shaped by one font. All sources are under the SIL
Open Font License 1.1 without reserved names, and so is the result.
"""

import sys
from collections.abc import Iterator, Set
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger, Options
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options as SubsetOptions
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.scaleUpem import scale_upem

NAME = "Palmhouse Names"
UNITS = 500
"""Units per em. Few are enough for names of at most 50 pixels, and make the file small."""
TOLERANCE = 0.002
"""Largest distance between a converted curve and its original, in em."""

SCRIPTS = [
    "Arabic",
    "Hebrew",
    "Thai",
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Lao",
    "Khmer",
    "Myanmar",
    "Georgian",
    "Armenian",
    "Ethiopic",
    "Cherokee",
    "CanadianAboriginal",
    "Thaana",
    "Tifinagh",
    "OlChiki",
    "MeeteiMayek",
    "Lisu",
    "Runic",
]
"""Living scripts, and some whose letters people use as ornaments."""


def span(*ranges: tuple[int, int]) -> set[int]:
    return {code for first, last in ranges for code in range(first, last + 1)}


# fmt: off
LATIN = span((0x20, 0x7E), (0xA0, 0x52F), (0x1D00, 0x1DBF), (0x1E00, 0x206F), (0x2070, 0x20CF), (0x2C60, 0x2C7F),
             (0xA720, 0xA7FF), (0xAB30, 0xAB6F))
"""Latin, Greek and Cyrillic, with small capitals and marks."""
FANCY = span((0x2100, 0x218F), (0x2200, 0x22FF), (0x1D400, 0x1D7FF))
SYMBOLS = span((0x2190, 0x21FF), (0x2300, 0x23FF), (0x2460, 0x27FF), (0x2900, 0x297F), (0x2B00, 0x2BFF),
               (0x1F100, 0x1F1E5), (0x1F650, 0x1F67F), (0x1F780, 0x1F7D8))
BORROWED = {0x0F04, 0x0F05, 0x0F12, 0x0F3A, 0x0F3B, 0xA9C1, 0xA9C2, 0x13080, 0x1319A, 0x131A9, 0x131AA}
"""Tibetan, Javanese and Egyptian signs that people put around their names."""
EVERYTHING = span((0x20, 0x1FFFF))
EMOJIS = span((0x2000, 0x1FFFF))
"""All emojis, without the digits and letters that the emoji font has for keycaps."""
CJK = span((0x3000, 0x30FF), (0x3105, 0x312F), (0x3131, 0x3163), (0x31F0, 0x31FF), (0xFF01, 0xFF9F), (0xFFE0, 0xFFE6))
# fmt: on
PRESENTATION = span((0xFB00, 0xFDFF), (0xFE70, 0xFEFE))
"""Precomposed ligatures, left out: `bot.pictures.line` writes their letters instead."""
PRIVATE = span((0xE000, 0xF8FF), (0xF0000, 0x10FFFD))
KEYCAP = 0x20E3
"""Character of keycaps, left out: it needs digits of its own below it."""


def standard() -> set[int]:
    """Return the characters of the national standards: all ideographs of GB 2312 and JIS X 0208, the common half of
    Big5's, and the Hangul of KS X 1001."""

    def common(letter: str) -> bool:
        chinese, japanese, taiwanese = (
            letter.encode(each, "ignore") for each in ("gb2312", "shift_jis", "big5")
        )
        return bool(chinese or japanese or b"\xa4\x40" <= taiwanese <= b"\xc6\x7e")

    ideographs = {code for code in span((0x4E00, 0x9FFF)) if common(chr(code))}
    return ideographs | {code for code in span((0xAC00, 0xD7A3)) if len(chr(code).encode("euc_kr")) == 2}


def sources(noto: Path, fonts: Path) -> Iterator[tuple[TTFont, set[int], bool]]:
    """Yield fonts, each with its wanted characters, and whether to keep its shaping rules.

    A character that several fonts have comes from the first of them.
    """

    def named(name: str) -> TTFont:
        found = sorted(noto.rglob(f"{name}-Bold.ttf")) or sorted(noto.rglob(f"{name}-Regular.ttf"))
        return TTFont(found[0])

    yield TTFont(next(noto.rglob("NotoEmoji_700Bold.ttf"))), EMOJIS, True
    yield TTFont(fonts / "Inter-Bold.otf"), LATIN | FANCY | SYMBOLS, False
    for script in SCRIPTS:
        yield named(f"NotoSans{script}"), EVERYTHING, True
    yield named("NotoSans"), LATIN, False
    yield named("NotoSansMath"), FANCY, False
    yield named("NotoSansSymbols"), SYMBOLS, False
    yield named("NotoSansSymbols2"), SYMBOLS, False
    for name in ("NotoSerifTibetan", "NotoSansJavanese", "NotoSansEgyptianHieroglyphs"):
        yield named(name), BORROWED, False
    yield TTFont(next(noto.rglob("NotoSansCJK-Bold.ttc")), fontNumber=0), CJK | standard(), False


def taken(font: TTFont, wanted: Set[int], shaped: bool, owned: set[int]) -> TTFont:
    """Return the wanted part of a font that no earlier font has, as TrueType outlines of UNITS per em."""
    has = set(font.getBestCmap()) & wanted - owned - PRIVATE - PRESENTATION - {KEYCAP}
    options = SubsetOptions(hinting=False, notdef_outline=True, name_IDs=[], glyph_names=False)
    options.drop_tables += ["DSIG", "VORG", "VDMX", "vhea", "vmtx", "BASE", "STAT", "MATH", "meta"]
    if not shaped:
        # Without kerning, like all text that Pillow writes in Inter.
        options.layout_features = ["ccmp", "mark", "mkmk"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=has)
    subsetter.subset(font)
    owned |= has
    if "CFF " in font:
        outlined(font)
    scale_upem(font, UNITS)
    return font


def outlined(font: TTFont) -> None:
    """Convert PostScript outlines into TrueType outlines."""
    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    glyf = font["glyf"] = newTable("glyf")
    glyf.glyphOrder, glyf.glyphs = order, {}
    font["loca"] = newTable("loca")
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, TOLERANCE * font["head"].unitsPerEm, reverse_direction=True))
        glyf[name] = pen.glyph()
    for name in order:
        glyf[name].recalcBounds(glyf)
        font["hmtx"][name] = (font["hmtx"][name][0], getattr(glyf[name], "xMin", 0))
    maxp = font["maxp"] = newTable("maxp")
    maxp.tableVersion, maxp.numGlyphs = 0x00010000, len(order)
    for unset in [
        "maxZones",
        "maxTwilightPoints",
        "maxStorage",
        "maxFunctionDefs",
        "maxInstructionDefs",
        "maxStackElements",
        "maxSizeOfInstructions",
        "maxComponentElements",
    ]:
        setattr(maxp, unset, 0)
    del font["CFF "]
    font.sfntVersion = "\x00\x01\x00\x00"
    font["head"].glyphDataFormat = 0


def main(noto: Path, fonts: Path) -> None:
    """Build the font from its sources and write it."""
    owned = set[int]()
    with TemporaryDirectory() as folder:
        parts = []
        for number, (font, wanted, shaped) in enumerate(sources(noto, fonts)):
            parts.append(Path(folder, f"{number:02}.ttf"))
            taken(font, wanted, shaped, owned).save(parts[-1])
        merged = Merger(Options(drop_tables=["vmtx", "vhea"])).merge([str(part) for part in parts])
    finish(merged)
    merged.save(fonts / "PalmhouseNames.ttf")


def finish(font: TTFont) -> None:
    """Set the name, and remove glyph names and dates, so that each run writes the same file."""
    font["name"].names = []
    for number, text in ((1, NAME), (2, "Bold"), (4, f"{NAME} Bold"), (6, "PalmhouseNames-Bold")):
        font["name"].setName(text, number, 3, 1, 0x409)
    font["name"].setName("Made of Inter and Noto fonts; SIL Open Font License 1.1", 13, 3, 1, 0x409)
    font["post"].formatType = 3.0
    font["OS/2"].usWeightClass = 700
    font["OS/2"].fsSelection = 0x20
    font["head"].macStyle = 1
    font["head"].created = font["head"].modified = 3_800_000_000
    font.recalcTimestamp = False


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
