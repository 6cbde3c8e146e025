"""The sizes of pictures, read from the first bytes of their files."""


def size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG, GIF or WebP in pixels; None for any other file."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return _little(data, 6, 2), _little(data, 8, 2)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":  # extended: each size minus one, in three bytes
            return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
        case b"VP8L":  # lossless: each size minus one, in 14 bits
            bits = _little(data, 21, 4)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":  # lossy: each size in 14 bits, below two bits of scale
            return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


def _little(data: bytes, start: int, length: int) -> int:
    return int.from_bytes(data[start : start + length], "little")
