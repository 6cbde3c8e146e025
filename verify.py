# Check a deal of Palmhouse: `python verify.py FILE` exits with 0 only when all of it holds. Python 3.8 or newer.
import hashlib, hmac, json, pathlib, sys

packed = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
sha = lambda thing: hashlib.sha256(packed(thing).encode()).hexdigest()
tell = lambda name, holds: print("holds:" if holds else sys.exit(f"WRONG: {name!a}"), ascii(name)[1:-1])
try:
    raw = pathlib.Path(sys.argv[1]).read_bytes().decode("ascii").strip()
    deal, seats = json.loads(raw), 0
    own = [deal[key] for key in ("format", "match", "game", "rules", "options", "pack", "secret")]
    seal, canonical = sha(own), raw == packed(deal) and len(deal) == 10 and own[0] == "palmhouse-deal-1"
    tell(f"match {own[1]}, {own[2]}, rules {own[3]}, options {own[4]}: sealed {seal}", canonical)
    for step, value, *words in deal["lobby"]:
        seal, seats = sha([seal, step, value]), seats + {"departure": -1, "cut": 0}.get(step, 1)
        tell(f"{step} {words or value}: {seal}", words in ([], [""]) or value == sha([own[-1], *words]))
    seed = hmac.new(own[-1].encode(), seal.encode(), "sha256").hexdigest()
    tell(f"{seats} seats: seed {seed}", deal["seed"] == seed)
    for purpose, number, dealt in deal["decks"]:
        pack = [*range(len(dealt))] if 0 in dealt else deal["pack"]
        after, packs = [pack.index(card) for card in dealt], max(1, len(dealt) // len(pack))
        cards, stream = sorted(after), hashlib.shake_128(f"{seed}/{purpose}/{number}".encode())
        for n in range(len(cards) - 1, 0, -1):
            other = int.from_bytes(stream.digest(8 * n + 8)[-8:], "big") % (n + 1)
            cards[n], cards[other] = cards[other], cards[n]
        whole = all(dealt.count(card) <= packs * pack.count(card) for card in dealt) and cards == after
        tell(f"shuffle: {purpose} {number}, {len(dealt)} of {packs * len(pack)}: {dealt}", whole)
    print("All of it holds. A deck that is missing in the file is not noticed: compare them with the match.")
except (LookupError, TypeError, ValueError, AttributeError, OSError, RecursionError) as error:
    sys.exit(f"WRONG: name one whole file of palmhouse-deal-1: python verify.py FILE ({error!r:.80})")
