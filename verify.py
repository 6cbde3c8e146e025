# Check a deal of Palmhouse: `python verify.py FILE` exits with 0 only when all of it holds. Python 3.8 or newer.
import hashlib, hmac, json, pathlib, sys


def checks(raw):
    packed = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
    sha, deal = (lambda thing: hashlib.sha256(packed(thing).encode()).hexdigest()), json.loads(raw)
    own = [deal[key] for key in ("format", "match", "game", "rules", "secret")]
    yield "canonical JSON of palmhouse-deal-1", raw == packed(deal) and own[0] == "palmhouse-deal-1"
    yield f"sealed {sha(own)}, joins {sha(deal['joins'])[:16]}", deal["commitment"] == sha(own)
    for cut, words in deal["cuts"]:
        yield f"cut {words or 'without words'}", words == "" or cut == sha([own[-1], words])
    given = packed([deal["options"], deal["seats"], deal["joins"], [cut for cut, _ in deal["cuts"]]])
    seed = hmac.new(own[-1].encode(), given.encode(), "sha256").hexdigest()
    yield f"seed {seed}", deal["seed"] == seed
    for purpose, number, cards, after in deal["decks"]:
        draws = hashlib.shake_128(f"{seed}/{purpose}/{number}".encode()).digest(8 * len(cards))
        for n in range(len(cards) - 1, 0, -1):
            other = int.from_bytes(draws[8 * n : 8 * n + 8], "big") % (n + 1)
            cards[n], cards[other] = cards[other], cards[n]
        yield f"shuffle: {purpose} {number}: {', '.join(map(str, cards))}", cards == after


try:
    for name, holds in checks(pathlib.Path(sys.argv[1]).read_bytes().decode("ascii").strip()):
        print("holds:" if holds else sys.exit(f"WRONG, the file differs from: {name!a}"), ascii(name)[1:-1])
    print("All of it holds. A deck that is missing in the file is not noticed: compare them with the match.")
except (LookupError, TypeError, ValueError, AttributeError, OSError, RecursionError) as error:
    sys.exit(f"WRONG: name one whole file of palmhouse-deal-1: python verify.py FILE ({error!r:.80})")
