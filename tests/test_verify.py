"""`verify.py` accepts the file of every deal, and nothing else. It runs as a script, as everybody runs it."""

import ast
import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.match.deal_file import checks, deal_file, replayed
from bot.match.deals import dealt_seed
from bot.match.state import Player
from bot.match.terms import set_option
from bot.store.seeds import FORMAT, canonical, digest
from games import GAMES, AnyGame
from games.chance import recorded, shuffled
from tests.contract.golden import Golden, files, read
from tests.contract.subjects import SUBJECTS, Subject
from tests.stored.facts import tables_of
from tests.stored.play import Clock, play
from tests.test_architecture import ROOT

SCRIPT = ROOT / "verify.py"
CODE = compile(SCRIPT.read_bytes(), SCRIPT, "exec")
SEED = f"{FORMAT}:{'5ec2e7' * 10}0000"
PEOPLE = range(7001, 7009)
INTERACTIONS = range(1_300_000_000_000_000_001, 1_300_000_000_000_000_009)
FLIPS = 35
"""Number of flipped bits for each golden game: more than 1,000 in all."""
GOLDEN = [(subject, path) for subject in SUBJECTS.values() for path in files(subject)]
every_golden_game = pytest.mark.parametrize(
    ("subject", "path"), GOLDEN, ids=[f"{subject.game.slug}-{path.stem}" for subject, path in GOLDEN]
)

Accepts = Callable[[bytes], bool]


@pytest.fixture
def accepts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Accepts:
    """Return a function that runs the script in this process, and returns whether it accepts a file."""
    path = tmp_path / "deal.json"
    monkeypatch.setattr(sys, "argv", [SCRIPT.name, str(path)])

    def run(content: bytes) -> bool:
        path.write_bytes(content)
        with contextlib.redirect_stdout(sys.stdout):  # the script may take it off
            try:
                exec(CODE, {"__name__": "__main__"})
            except SystemExit as ended:
                return not ended.code
        return True

    return run


SHORT = {"deals": 1}
"""Options of every match that has them. More deals of Hand and Foot have more decks of the same kind, as those of other
games have, and take twice as long as all other games together."""


async def deal_like(game: AnyGame, golden: Golden, folder: Path) -> bytes:
    """Play a match with the options and the number of people of a golden game, with two cuts, and return its file."""
    clock, people = Clock(1_000_000), PEOPLE[: len(golden.names)]
    chosen = json.loads(golden.header["options"])
    options = game.Options.model_validate(
        chosen | {k: v for k, v in SHORT.items() if k in game.Options.model_fields}
    )
    async with tables_of(folder / "palmhouse.sqlite3", clock, seed=lambda: SEED) as tables:
        host = Player(people[0], "Host")
        table = await tables.open(
            game, options, guild=1, channel=2, players=[host], at=clock.time, interaction=INTERACTIONS[0]
        )
        for user, interaction in zip(people[1:], INTERACTIONS[1:], strict=False):
            await table.join(user, f"P{user}", clock.time, interaction)
        for user, words in ((people[-1], "blue lamp"), (999, "דוד ≠ 🌴")):
            await table.cut(user, f"P{user}", words, clock.time)
        await table.start(people[0], clock.time)
        await play(table, clock)
        match = await tables.store.match(table.id)
        assert match is not None
        replay = replayed(match, game, await tables.store.log(match.id))
    assert all(check.holds for check in checks(replay))
    return deal_file(replay)


async def file_of(subject: Subject, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setitem(GAMES, subject.game.slug, subject.game)
    return await deal_like(subject.game, read(path.read_text(encoding="utf-8")), folder)


@every_golden_game
async def test_the_deal_of_a_match_like_each_golden_game_is_accepted_and_no_flipped_bit_is(
    subject: Subject, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accepts: Accepts
) -> None:
    deal = await file_of(subject, path, tmp_path, monkeypatch)
    assert accepts(deal)
    assert len(json.loads(deal)["decks"]) > 1, "the seats, and a deck"
    # A lot for two or three seats may fall alike under another name.
    names = [match.span(1) for match in re.finditer(rb'\["([a-z ]+",\d+),\[\d', deal)]
    bits = [bit for bit in range(8 * len(deal)) if not any(first <= bit // 8 < end for first, end in names)]
    for bit in Random(path.stem).sample(bits, FLIPS):
        assert not accepts(flipped(deal, bit)), f"bit {bit}"


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


PLAYED: list[bytes] = []


@pytest.fixture
async def deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the file of a match of the toy, which is played once."""
    if not PLAYED:
        subject = SUBJECTS["high-card"]
        PLAYED.append(await file_of(subject, files(subject)[0], tmp_path, monkeypatch))
    return PLAYED[0]


def test_more_than_a_thousand_bits_are_flipped() -> None:
    assert len(GOLDEN) * FLIPS >= 1_000


@pytest.mark.parametrize(
    ("slug", "names"),
    [
        ("palmer", {"ace of clubs", "10 of hearts", "queen of spades"}),
        ("thirty-one", {"2 of diamonds", "king of spades"}),
        ("palace", {"10", "A"}),
        ("twin-palms", {"Palms 10", "Dolphins wild"}),
        ("charms", {"rabbit foot", "8"}),
        ("twin-it", {"daisy six", "spotted fish"}),
        ("liars-dice", {"1", "6"}),
    ],
)
async def test_cards_have_names_in_the_file_and_numbers_stay_numbers(
    slug: str, names: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = SUBJECTS[slug]
    decks = json.loads(await file_of(subject, files(subject)[0], tmp_path, monkeypatch))["decks"]
    by_purpose = {purpose: dealt for purpose, _, dealt in decks}
    assert sorted(by_purpose.pop("seats"))[:2] == [0, 1]
    lots = [
        by_purpose.pop(purpose)
        for purpose in ("dealer", "start", "barred", "opener")
        if purpose in by_purpose
    ]
    assert all(type(each) is int for lot in lots for each in lot)
    assert all(type(each) is str for deck in by_purpose.values() for each in deck)
    assert any(names <= {*deck} for deck in by_purpose.values())


def edited(deal: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    content = json.loads(deal)
    change(content)
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another format": lambda deal: deal.update(format="palmhouse-deal-2"),
    "another match": lambda deal: deal.update(match=deal["match"] + 1),
    "another game": lambda deal: deal.update(game="palace"),
    "another version of the rules": lambda deal: deal.update(rules=deal["rules"] + 1),
    "another secret": lambda deal: deal.update(secret="0" * 64),
    "other options": lambda deal: deal.update(options={}),
    "options with another value": lambda deal: deal["options"].update(hands=99),
    "two cards exchanged": lambda deal: deal["pack"].reverse(),
    "a card twice in the pack": lambda deal: deal["pack"].__setitem__(0, deal["pack"][1]),
    "a computer in a seat": lambda deal: deal["lobby"].__setitem__(0, ["computer", "sharp"]),
    "a computer more": lambda deal: deal["lobby"].append(["computer", "sharp"]),
    "a join less": lambda deal: deal["lobby"].pop(0),
    "joins in another order": lambda deal: deal["lobby"].reverse(),
    "a cut less": lambda deal: deal["lobby"].pop(),
    "other words": lambda deal: deal["lobby"][-1].__setitem__(2, "red lamp"),
    "an earlier cut without its words and with another hash": lambda deal: deal["lobby"].__setitem__(
        -2, ["cut", "0" * 64, ""]
    ),
    "another kind of shuffle": lambda deal: deal["shuffles"].update({"Deal N": "whole"}),
    "one more key": lambda deal: deal.update(note="read me"),
    "another seed": lambda deal: deal.update(seed="0" * 64),
    "two cards of a deck exchanged": lambda deal: deal["decks"][-1][2].reverse(),
    "another number of a deck": lambda deal: deal["decks"][-1].__setitem__(1, 99),
    "no decks": lambda deal: deal.pop("decks"),
    "a card twice in a deck": lambda deal: deal["decks"][-1][2].__setitem__(0, deal["decks"][-1][2][1]),
    "a card of another game": lambda deal: deal["decks"][-1][2].__setitem__(0, "joker"),
    "a seat twice": lambda deal: deal["decks"][0][2].__setitem__(1, 0),
    "no seats": lambda deal: deal["decks"][0][2].clear(),
    "no words at all": lambda deal: deal["lobby"][-1].__setitem__(2, None),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_file_is_refused(edit: str, deal: bytes, accepts: Accepts) -> None:
    assert edited(deal, lambda _: None) == deal
    assert not accepts(edited(deal, EDITS[edit]))


def test_a_cut_without_words_is_not_proved_and_the_script_says_so(
    deal: bytes, tmp_path: Path, accepts: Accepts
) -> None:
    """Whoever runs the bot could otherwise say that somebody was erased, and choose what their cut was."""
    erased = edited(deal, lambda content: content["lobby"][-1].__setitem__(2, ""))
    assert not accepts(erased)
    (tmp_path / "deal.json").write_bytes(erased)
    run = subprocess.run(
        [sys.executable, "-I", SCRIPT, tmp_path / "deal.json"], capture_output=True, text=True, check=False
    )
    assert (
        "NOT PROVED: a cut without words, whose person was erased, binds nobody. All else holds."
        in run.stderr
    )
    assert "WRONG" not in run.stdout + run.stderr


SAME_LINES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a purpose with the number in it": lambda deal: deal["decks"][-1].__setitem__(
        slice(0, 2), ["deal 0", ""]
    ),
    "a number that is a text": lambda deal: deal["decks"][-1].__setitem__(1, "0"),
    "a number with a fraction": lambda deal: deal["decks"][-1].__setitem__(1, 0.0),
    "a number that is true": lambda deal: deal["decks"][-1].__setitem__(1, False),
    "another purpose": lambda deal: deal["decks"][-1].__setitem__(0, "Deal"),
    "a purpose with a blank": lambda deal: deal["decks"][-1].__setitem__(0, " deal"),
    "a number with a zero before": lambda deal: deal["decks"][-1].__setitem__(0, "deal 00"),
    "words as the value of a cut": lambda deal: deal["lobby"].__setitem__(-1, ["cut", "['blue lamp']"]),
    "a list as the value of a cut": lambda deal: deal["lobby"].__setitem__(-1, ["cut", ["blue lamp"]]),
    "a step whose name has half of the words of a cut": lambda deal: deal["lobby"].__setitem__(
        -1, "".join(("cut ", str(deal["lobby"][-1][2:]))).rsplit(" ", 1)
    ),
    "a number as a join": lambda deal: deal["lobby"].__setitem__(0, ["join", 1]),
    "a deck that lacks a card": lambda deal: deal["decks"][-1][2].pop(),
}


@pytest.mark.parametrize("what", SAME_LINES)
def test_what_would_print_the_same_line_for_another_deal_is_refused(
    what: str, deal: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accepts: Accepts
) -> None:
    """The seed and the decks are computed again for the change, as whoever runs the bot could."""
    content = json.loads(edited(deal, SAME_LINES[what]))
    assert not accepts(json.dumps(dealt_again(content), sort_keys=True, separators=(",", ":")).encode())


def test_a_deal_that_is_computed_again_without_a_change_is_accepted(deal: bytes, accepts: Accepts) -> None:
    again = json.dumps(dealt_again(json.loads(deal)), sort_keys=True, separators=(",", ":")).encode()
    assert again == deal
    assert accepts(again)


def dealt_again(deal: dict[str, Any]) -> dict[str, Any]:
    """Return a deal with the seed and the decks that follow from the rest of it."""
    keys = ("format", "match", "game", "rules", "options", "pack", "shuffles", "secret")
    seal = digest([deal[key] for key in keys])
    for step, value, *_ in deal["lobby"]:
        seal = digest([seal, step, value])
    deal["seed"] = dealt_seed(f"{FORMAT}:{deal['secret']}", seal)
    for deck in deal["decks"]:
        purpose, number, dealt = deck
        pack = deal["pack"] if isinstance(dealt[0], str) else [*range(len(dealt))]
        deck[2] = [pack[card] for card in shuffled(map(pack.index, dealt), deal["seed"], purpose, number)]
    return deal


async def test_options_that_changed_in_the_lobby_are_checked_with_the_pack_that_follows(
    tmp_path: Path, accepts: Accepts, capsys: pytest.CaptureFixture[str]
) -> None:
    game, clock = GAMES["twin-palms"], Clock(1_000_000)
    async with tables_of(tmp_path / "palmhouse.sqlite3", clock, seed=lambda: SEED) as tables:
        host = Player(PEOPLE[0], "Host")
        table = await tables.open(game, game.Options(), guild=1, channel=2, players=[host], at=clock.time)
        await table.join(PEOPLE[1], "Guest", clock.time, 71)
        copied = table.state.seal
        for name, value in (("mode", "easy"), ("rounds", 1)):
            await set_option(table, PEOPLE[0], name, value, clock.time)
        assert table.state.seal != copied
        await table.start(PEOPLE[0], clock.time)
        await play(table, clock)
        match = await tables.store.match(table.id)
        assert match is not None
        deal = deal_file(replayed(match, game, await tables.store.log(match.id)))
    assert accepts(deal)
    said = capsys.readouterr().out
    assert f": {copied}\nholds: options [{{'bets': True, " in said
    assert "2 seats: seed " in said
    (_, (options, pack)), _ = [step for step in json.loads(deal)["lobby"] if step[0] == "options"]
    content = json.loads(deal)
    for other in (
        [options, pack[::-1]],
        [{**options, "bets": False}, pack],
        [options],
        [options, pack, pack],
    ):
        content["lobby"][2][1] = other
        assert not accepts(canonical(content))


def test_a_missing_deck_is_not_noticed_and_the_script_says_so(
    deal: bytes, accepts: Accepts, capsys: pytest.CaptureFixture[str]
) -> None:
    assert accepts(edited(deal, lambda content: content["decks"].pop()))
    *_, last = capsys.readouterr().out.splitlines()
    assert "A deck that is missing in the file is not noticed" in last


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b"\xff\xfe", b"\x00" * 100, b"{" * 100_000])
def test_what_is_no_deal_is_refused(content: bytes, accepts: Accepts) -> None:
    assert not accepts(content)


def test_a_truncated_or_longer_file_and_one_with_other_spaces_are_refused(
    deal: bytes, accepts: Accepts
) -> None:
    for content in (deal[:-1], deal[: len(deal) // 2], deal + b"}", b"\xef\xbb\xbf" + deal):
        assert not accepts(content)
    assert accepts(deal + b"\n"), "editors add one"
    assert not accepts(json.dumps(json.loads(deal), sort_keys=True).encode())


def test_the_script_itself_ends_with_0_for_a_good_file_only(deal: bytes, tmp_path: Path) -> None:
    path = tmp_path / "deal.json"
    for content, code in ((deal, 0), (flipped(deal, 800), 1), (b"", 1)):
        path.write_bytes(content)
        run = subprocess.run(
            [sys.executable, "-I", SCRIPT, path], capture_output=True, text=True, timeout=60, check=False
        )
        assert run.returncode == code, run
    assert subprocess.run([sys.executable, SCRIPT], capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(
    ("named", "why"), [((), ""), (("nowhere.json",), r" \(FileNotFound.*\)"), ((".",), r" \(.*Error.*\)")]
)
def test_a_file_that_is_not_named_or_not_there_is_said_in_a_sentence(
    named: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    run = subprocess.run(
        [sys.executable, "-I", SCRIPT, *named], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert re.fullmatch(rf"NOT CHECKED: name a file of /verify{why}\n", run.stderr)


@pytest.mark.parametrize("buffered", ["-Iu", "-I"])
def test_a_good_file_is_not_called_wrong_when_nobody_reads_the_output(
    deal: bytes, tmp_path: Path, buffered: str
) -> None:
    path = tmp_path / "deal.json"
    path.write_bytes(deal)
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [sys.executable, buffered, SCRIPT, path],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (1, "NOT CHECKED to its end: nobody reads on.\n")


def test_options_joins_cuts_seats_and_the_shuffled_cards_are_printed(
    deal: bytes, accepts: Accepts, capsys: pytest.CaptureFixture[str]
) -> None:
    assert accepts(deal)
    said = capsys.readouterr().out
    content = json.loads(deal)
    assert f"match {content['match']}, high-card, rules {content['rules']}, options {{'" in said
    for interaction in INTERACTIONS[: len(PEOPLE[:2])]:
        assert f"holds: join {interaction}: " in said
    assert "holds: cut ['blue lamp']: " in said
    assert "2 seats: seed " in said
    for purpose, number, dealt in content["decks"]:
        assert f": {purpose} {number}, {len(dealt)} of {len(dealt)}: {dealt}\n" in said


def test_the_script_has_thirty_odd_lines_and_imports_the_standard_library_alone() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 35
    assert "import hashlib, hmac, json, pathlib, sys\n" in text
    assert text.count("import") == 1
    ast.parse(text, feature_version=(3, 8))


def test_the_file_has_texts_and_integers_alone_and_no_ids_of_people(deal: bytes) -> None:
    def check(part: object) -> None:
        if isinstance(part, dict | list):
            for each in part.values() if isinstance(part, dict) else part:
                check(each)
        else:
            assert type(part) in (str, int, bool)

    check(json.loads(deal))
    assert deal.isascii()
    assert not any(str(user).encode() in deal for user in PEOPLE)
    assert b"Host" not in deal


HANDS: dict[str, Callable[[list[str], int], list[str]]] = {
    "charms": lambda cards, seat: cards[13 * seat : 13 * seat + 13],
    "palace": lambda cards, seat: cards[::-1][9 * seat + 3 : 9 * seat + 9],
    "palmer": lambda cards, seat: cards[::-1][4 * seat + 2 : 4 * seat + 4],
    "thirty-one": lambda cards, seat: cards[::-1][3 * seat : 3 * seat + 3],
    "twin-palms": lambda cards, seat: cards[10 * seat : 10 * seat + 10],
}
"""The cards that a seat sees first, found in a shuffled deck as `Game.dealing` says. Twin It! has no hands."""


@pytest.mark.parametrize("slug", HANDS)
def test_hands_are_found_in_the_deck_as_the_game_says(slug: str) -> None:
    game: AnyGame = GAMES[slug]
    with recorded() as shuffles:
        _, events = game.new(game.Options(), 4, "a deal without new hands")
    (deck,) = [[game.card_names[card] for card in each.after] for each in shuffles if each.are_cards]
    assert ("start" if HANDS[slug](["first", *[""] * 50], 0)[:1] == ["first"] else "end") in game.dealing
    for seat in range(4):
        (hand,) = [
            each for event in events if event.to == seat for each in astuple(event) if type(each) is tuple
        ]
        assert sorted(game.card_names[card] for card in hand) == sorted(HANDS[slug](deck, seat))


def test_dice_are_found_in_the_shuffles_as_the_game_says() -> None:
    game: AnyGame = GAMES["liars-dice"]
    with recorded() as shuffles:
        _, events = game.new(game.Options(), 4, "a deal without new hands")
    assert "it shows the first face of the list" in game.dealing
    for seat in range(4):
        (cup,) = [
            each for event in events if event.to == seat for each in astuple(event) if type(each) is tuple
        ]
        dice = [each.after[0] for each in shuffles if each.purpose.startswith(f"seat {seat + 1} die ")]
        assert sorted(dice) == [*cup]
