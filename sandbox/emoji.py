"""The standard emojis, as components may contain them.

Playing cards, chess pieces, dominoes and mahjong tiles look like emojis, but Discord refuses all of them except the
joker, the pawn and the red dragon.
"""

import re

# The property Emoji of Unicode 15 (emoji-data.txt), without digits, "#", "*" and the letters of flags.
_EMOJI = """
    A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 25AA-25AB
    25B6 25C0 25FB-25FE 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 2626 262A 262E-262F 2638-263A
    2640 2642 2648-2653 265F-2660 2663 2665-2666 2668 267B 267E-267F 2692-2697 2699 269B-269C 26A0-26A1 26A7
    26AA-26AB 26B0-26B1 26BD-26BE 26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD
    2702 2705 2708-270D 270F 2712 2714 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757
    2763-2764 2795-2797 27A1 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F004
    1F0CF 1F170-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F201-1F202 1F21A 1F22F 1F232-1F23A 1F250-1F251
    1F300-1F321 1F324-1F393 1F396-1F397 1F399-1F39B 1F39E-1F3F0 1F3F3-1F3F5 1F3F7-1F4FD 1F4FF-1F53D
    1F549-1F54E 1F550-1F567 1F56F-1F570 1F573-1F57A 1F587 1F58A-1F58D 1F590 1F595-1F596 1F5A4-1F5A5 1F5A8
    1F5B1-1F5B2 1F5BC 1F5C2-1F5C4 1F5D1-1F5D3 1F5DC-1F5DE 1F5E1 1F5E3 1F5E8 1F5EF 1F5F3 1F5FA-1F64F
    1F680-1F6C5 1F6CB-1F6D2 1F6D5-1F6D7 1F6DC-1F6E5 1F6E9 1F6EB-1F6EC 1F6F0 1F6F3-1F6FC 1F7E0-1F7EB 1F7F0
    1F90C-1F93A 1F93C-1F945 1F947-1F9FF 1FA70-1FA7C 1FA80-1FA88 1FA90-1FABD 1FABF-1FAC5 1FACE-1FADB
    1FAE0-1FAE8 1FAF0-1FAF8
"""


# Those of them that take a skin tone (Emoji_Modifier_Base).
_TONED = """
    261D 26F9 270A-270D 1F385 1F3C2-1F3C4 1F3C7 1F3CA-1F3CC 1F442-1F443 1F446-1F450 1F466-1F478 1F47C
    1F481-1F483 1F485-1F487 1F48F 1F491 1F4AA 1F574-1F575 1F57A 1F590 1F595-1F596 1F645-1F647 1F64B-1F64F 1F6A3
    1F6B4-1F6B6 1F6C0 1F6CC 1F90C 1F90F 1F918-1F91F 1F926 1F930-1F939 1F93C-1F93E 1F977 1F9B5-1F9B6 1F9B8-1F9B9
    1F9BB 1F9CD-1F9CF 1F9D1-1F9DD 1FAC3-1FAC5 1FAF0-1FAF8
"""
# Parts of joined emojis (emoji-zwj-sequences.txt): people that exist as man and woman, things joined with a person
# (tools of a trade, hair), and single pairs.
_MAN_OR_WOMAN = """
    26F9 1F3C3-1F3C4 1F3CA-1F3CC 1F46E-1F471 1F473 1F477 1F481-1F482 1F486-1F487 1F575 1F645-1F647 1F64B 1F64D-1F64E
    1F6A3 1F6B4-1F6B6 1F926 1F935 1F937-1F939 1F93C-1F93E 1F9B8-1F9B9 1F9CD-1F9CF 1F9D4 1F9D6-1F9DF
"""
_WITH_A_PERSON = """
    2695-2696 2708 1F33E 1F373 1F37C 1F384 1F393 1F3A4 1F3A8 1F3EB 1F3ED 1F4BB-1F4BC 1F527 1F52C 1F680 1F692 1F9AF
    1F9B0-1F9B3 1F9BC-1F9BD
"""
_PAIRS = """
    1F3F3+1F308 1F3F3+26A7 1F3F4+2620 1F415+1F9BA 1F408+2B1B 1F426+2B1B 1F426+1F525 1F43B+2744 1F441+1F5E8
    1F62E+1F4A8 1F635+1F4AB 1F636+1F32B 2764+1F525 2764+1FA79 1F642+2194 1F642+2195 26D3+1F4A5 1F34B+1F7E9
    1F344+1F7EB
"""
# Regions that have a flag: first letter, second letters.
_REGIONS = """
    A:CDEFGILMOQRSTUWXZ B:ABDEFGHIJLMNOQRSTVWYZ C:ACDFGHIKLMNOPRUVWXYZ D:EGJKMOZ E:ACEGHRSTU F:IJKMOR
    G:ABDEFGHILMNPQRSTUWY H:KMNRTU I:CDELMNOQRST J:EMOP K:EGHIMNPRWYZ L:ABCIKRSTUVY M:ACDEFGHKLMNOPQRSTUVWXYZ
    N:ACEFGILOPRUZ O:M P:AEFGHKLMNRSTWY Q:A R:EOSUW S:ABCDEGHIJKLMNORSTVXYZ T:ACDFGHJKLMNORTVWZ U:AGMNSYZ
    V:ACEGINU W:FS X:K Y:ET Z:AMW
"""
_FIRST_LETTER = 0x1F1E6


def _character(code: str) -> str:
    return chr(int(code, 16))


def _any_of(codes: str) -> str:
    return "[" + "".join("-".join(map(_character, each.split("-"))) for each in codes.split()) + "]"


def _letters(text: str) -> str:
    return "".join(chr(_FIRST_LETTER + ord(letter) - ord("A")) for letter in text)


def _flags() -> str:
    regions = (each.split(":") for each in _REGIONS.split())
    pairs = (f"{_letters(first)}[{_letters(seconds)}]" for first, seconds in regions)
    parts = ("gbeng", "gbsct", "gbwls")
    tags = ("".join(chr(0xE0000 + ord(letter)) for letter in part) for part in parts)
    return f"{'|'.join(pairs)}|\U0001f3f4(?:{'|'.join(tags)})\U000e007f|{_any_of('1F1E6-1F1FF')}"


def _joined() -> str:
    join, tone, look = "\u200d", "[\U0001f3fb-\U0001f3ff]?", "\ufe0f?"
    adult = f"[👨👩🧑]{tone}"
    pairs = (each.split("+") for each in _PAIRS.split())
    return "|".join(
        [
            f"{_any_of(_MAN_OR_WOMAN)}{tone}{look}{join}[♀♂]{look}",
            f"{adult}{join}{_any_of(_WITH_A_PERSON)}{look}",
            f"{adult}{join}❤{look}{join}(?:💋{join})?{adult}",
            f"{adult}{join}🤝{join}{adult}",
            f"🫱{tone}{join}🫲{tone}",
            f"[👨👩]{join}(?:[👨👩]{join})?[👦👧](?:{join}[👦👧])?",
            f"🧑{join}(?:🧑{join})?🧒(?:{join}🧒)?",
            *(f"{_character(one)}{look}{join}{_character(other)}{look}" for one, other in pairs),
        ]
    )


def _pattern() -> re.Pattern[str]:
    keycap = "[0-9#*]\ufe0f?\u20e3"
    toned = f"{_any_of(_TONED)}[\U0001f3fb-\U0001f3ff]"
    return re.compile(f"{_flags()}|{keycap}|{_joined()}|{toned}|{_any_of(_EMOJI)}\ufe0f?")


_STANDARD = _pattern()


def is_standard(text: str) -> bool:
    """Return whether `text` is exactly one standard emoji. Flags, keycaps, skin tones and families are one each."""
    return _STANDARD.fullmatch(text) is not None
