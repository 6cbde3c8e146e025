# Check a deal of Palmhouse: `python verify.py FILE` exits with 0 only when all of it holds. Python 3.8 or newer.
import hashlib, hmac, json, pathlib, sys
packed = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
sha = lambda thing: hashlib.sha256(packed(thing).encode()).hexdigest()
tell = lambda name, holds: print("holds:" if holds else sys.exit(f"WRONG: {name!a}"), ascii(name)[1:-1], flush=True)
try:
    raw = pathlib.Path(sys.argv[1]).read_bytes().decode("ascii").strip()
    deal, seats = json.loads(raw), 0
    own = [deal[key] for key in ("format", "match", "game", "rules", "options", "pack", "shuffles", "secret")]
    seal, canonical = sha(own), raw == packed(deal) and len(deal) == 11 and own[0] == "palmhouse-deal-1"
    tell(f"match {own[1]}, {own[2]}, rules {own[3]}, options {own[4]}: sealed {seal}", canonical)
    for step, value, *words in deal["lobby"]:
        seal, seats = sha([seal, step, value]), seats + {"join": 1, "computer": 1, "departure": -1}.get(step, 0)
        form = [type(value), len(words)] == [{"departure": int, "options": list}.get(step, str), step == "cut"]
        (own[4], own[5]), said = value if step == "options" else own[4:6], "".join(words) and sha([own[-1], *words])
        tell(f"{step} {words or value}: {seal}", form and step.isalpha() and said in ("", value))
    seed = hmac.new(own[-1].encode(), seal.encode(), "sha256").hexdigest()
    tell(f"{seats} seats: seed {seed}", deal["seed"] == seed)
    for purpose, number, dealt in deal["decks"]:
        kind = own[-2][" ".join("N" if w in map(str, range(999)) else w for w in f"{purpose} {number}".split(" "))]
        size, pack = len(dealt), [*range(len(dealt))] if kind == "lot" else own[-3]
        after, full = [*map(pack.index, dealt)], pack * max(1, size // len(pack))
        cards, draws = sorted(after), hashlib.shake_128(f"{seed}/{purpose}/{number:d}".encode()).digest(8 * size)
        for n in range(size - 1, 0, -1):
            other = int.from_bytes(draws[8 * n : 8 * n + 8], "big") % (n + 1)
            cards[n], cards[other] = cards[other], cards[n]
        fits = all(dealt.count(card) <= full.count(card) for card in dealt) and (kind == "part" or size == len(full))
        tell(f"{kind}: {purpose} {number}, {size} of {len(full)}: {dealt}", fits and cards == after)
    if [""] in [words for _, _, *words in deal["lobby"]]:
        sys.exit("NOT PROVED: a cut without words, whose person was erased, binds nobody. All else holds.")
    print("All of it holds. A deck that is missing in the file is not noticed: compare all with the match.", flush=True)
except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError, RecursionError) as error:
    wrong, why = "raw" in globals() and not isinstance(error, OSError), f" ({error!r:.80})" * bool(sys.argv[1:])
    sys.stdout, said = None, f"{'WRONG: no whole' if wrong else 'NOT CHECKED: name a'} file of /verify{why}"
    sys.exit("NOT CHECKED to its end: nobody reads on." if isinstance(error, BrokenPipeError) else said)
