"""About seventy faults, each planted in a copy of the project by replacing one piece of its text.

Those marked `old` were real ones. `python -m tests.rooms.planted` shows which room finds each, and by which law.
"""

from typing import Final

from tests.planting import Fault

FAULTS: Final = (
    # The log
    Fault(
        "a vote is decided, but nobody carries it out",
        "bot/match/table.py",
        "chain(happening(state), decided(state))",
        "happening(state)",
        old=True,
    ),
    Fault(
        "an answer that Discord refuses is called the bot's fault",
        "bot/messages/answers.py",
        '    return lost or getattr(error, "status", 0) == TOO_MANY or getattr(error, "code", 0) in LOSSES\n',
        "    return lost\n",
        old=True,
    ),
    Fault(
        "what is appended is applied before it is kept",
        "bot/match/table.py",
        "        due, since = await self._next_deadlines(state)\n        try:\n",
        "        due, since = await self._next_deadlines(state)\n"
        "        self.state, self.deadlines = state, due\n        try:\n",
    ),
    Fault(
        "a click that Discord delivers twice counts twice",
        "bot/match/table.py",
        "if click in self._clicks or (",
        "if (",
        old=True,
    ),
    Fault(
        "the second of two clicks counts as another move",
        "bot/match/table.py",
        "(prompt is not None and prompt != self.state.prompts[seat])",
        "(prompt is None and False)",
    ),
    Fault(
        "a race whose time is up goes on when somebody leaves it",
        "bot/match/table.py",
        "            await self._catch_up(until)\n",
        "",
        old=True,
    ),
    Fault(
        "who has left may still move",
        "bot/match/table.py",
        "            if seat in self.state.gone:\n                raise Refusal(LEFT)\n            # Discord may",
        "            # Discord may",
    ),
    Fault(
        "who comes back stays away",
        "bot/match/entries/absence.py",
        "        state.away.discard(self.seat)\n",
        "",
    ),
    Fault(
        "who plays for an absent person is not the computer",
        "bot/match/entries/absence.py",
        "            state.away.add(seat)\n",
        "",
    ),
    Fault(
        "people who are away have votes",
        "bot/match/state.py",
        "return self.present() if poll.seats else",
        "return self.people() if poll.seats else",
    ),
    Fault(
        "somebody takes a second seat and sees its hand",
        "bot/match/seats.py",
        "    if state.held.get(user, seat) != seat:\n",
        "    if state.held.get(user, seat) < 0:\n",
        old=True,
    ),
    Fault(
        "a click acknowledged on a full disk is not stored",
        "bot/store/sqlite/opening.py",
        "PRAGMA synchronous = FULL",
        "PRAGMA synchronous = OFF",
    ),
    Fault(
        "the row of a match does not say that it is over",
        "bot/match/table.py",
        "            phase=state.phase if state.phase != self.state.phase else None,\n",
        "            phase=None,\n",
    ),
    Fault(
        "results of a match are not stored",
        "bot/match/table.py",
        '            finished=await self._finished(made) if state.phase == "over" else None,\n',
        "            finished=None,\n",
    ),
    Fault(
        "who votes second is told that it counts",
        "bot/match/votes.py",
        "        await table.commit(at, Vote(seat, user, number, choice))\n",
        "        if not poll.votes:\n            await table.commit(at, Vote(seat, user, number, choice))\n",
    ),
    Fault(
        "a table that is full begins without its host",
        "bot/match/table.py",
        "                await self.commit(at, Join(user, name, interaction))\n",
        "                await self.commit(at, Join(user, name, interaction))\n"
        "                if not self.has_free():\n"
        "                    await self.commit(at, Start.by(self.state.host.user, self.state))\n",
    ),
    # Time
    Fault(
        "the heart beats only at the start",
        "bot/upkeep/clock.py",
        "            await self._tables.heartbeat()\n        except StoreFailed:\n",
        "            pass\n        except StoreFailed:\n",
    ),
    Fault(
        "the heartbeat is in the future",
        "bot/client.py",
        "        self.time.set_forward(self.time.jump)  # Discord's answer to the login had a date\n",
        "",
        old=True,
    ),
    Fault(
        "a freeze is not given back",
        "bot/upkeep/clock.py",
        "            await self._give_back_freeze()\n",
        "",
        old=True,
    ),
    Fault(
        "an outage is not given back",
        "bot/upkeep/clock.py",
        "            await self._postpone(lost, concerns, now, given_back)\n",
        "            await self._postpone(0, concerns, now, given_back)\n",
    ),
    Fault(
        "a wrong clock is never corrected",
        "bot/upkeep/clock.py",
        "        await self._correct()  # what others say of an outage is by the right time\n",
        "",
    ),
    Fault(
        "deadlines are moved in the store alone",
        "bot/match/tables.py",
        "seat: due + ms * (seat not in fixed) for",
        "seat: due for",
    ),
    Fault(
        "people have half of the promised time",
        "bot/match/deadlines.py",
        "            return times.move(state.pace) - reminder\n",
        "            return (times.move(state.pace) - reminder) // 2\n",
    ),
    Fault(
        "people are called in their night",
        "bot/match/call.py",
        "            asleep = sleepers(users, now, self.hours)\n",
        "            asleep = dict[int, int]()\n",
    ),
    Fault(
        "a deadline that passed does nothing",
        "bot/upkeep/clock.py",
        "            await table.apply_deadline(seat)\n",
        "            return\n",
    ),
    Fault(
        "deadlines are stored one step late",
        "bot/match/table.py",
        "            deadlines=deadlines,\n",
        "            deadlines=self.deadlines,\n",
    ),
    # Several processes
    Fault(
        "what a process finds waiting after a freeze is handled twice",
        "bot/gateway/private.py",
        "        if self.is_served():\n",
        "        if True:\n",
        old=True,
    ),
    # Messages
    Fault(
        "the last message of a match is not posted",
        "bot/messages/records.py",
        '            await self._post_once(table, "end", place_of(table), await self._end(table))\n',
        "            pass\n",
    ),
    Fault(
        "a round that is over does not become a record",
        "bot/messages/publisher.py",
        "        if page.closed or not table.is_open:\n",
        "        if not table.is_open:\n",
    ),
    Fault(
        "where a call stands is not stored",
        "bot/messages/calls.py",
        "        await self._tables.save_post(table, replace(post, channel=place_of(table), message=message))\n",
        "",
    ),
    Fault(
        "the last word is never told",
        "bot/messages/publisher.py",
        "            if waits:\n",
        "            if waits and max(waits) > pause:\n",
        old=True,
    ),
    Fault(
        "a call stays above its table",
        "bot/messages/live_messages.py",
        "        await self.calls.lift(table, post.message)\n",
        "",
        old=True,
    ),
    Fault(
        "a record in an archived thread is posted anew",
        "bot/messages/records.py",
        "            await self._venue.edit_in_place(post.channel, show)\n"
        "        except discord.HTTPException as error:\n"
        "            is_final = is_lost(error) or is_content_refused(error)\n"
        "            if not is_final or error.code in (UNKNOWN_CHANNEL, ARCHIVED):\n",
        "            await show()\n        except discord.HTTPException as error:\n"
        "            is_final = is_lost(error) or is_content_refused(error)\n"
        "            if not is_final or error.code == UNKNOWN_CHANNEL:\n",
        old=True,
    ),
    Fault(
        "a click whose picture comes too late is not shown",
        "bot/messages/live_message.py",
        "            self.touch()\n            await defer(interaction)\n            return\n        ans",
        "            await defer(interaction)\n            return\n        ans",
        old=True,
    ),
    Fault(
        "a failed request leaves no doubt",
        "bot/messages/publisher.py",
        "        self._recovery.doubt([match])\n        if isinstance",
        "        if isinstance",
    ),
    Fault(
        "messages that were found are kept when the doubt is over",
        "bot/messages/recovery.py",
        "        self._outbox.forget(match)\n",
        "",
        old=True,
    ),
    Fault(
        "an older drawing replaces a newer one",
        "bot/messages/live_message.py",
        "if self._finished or number < self._newest:",
        "if self._finished:",
    ),
    Fault(
        "the table is not drawn anew after a move",
        "bot/messages/live_messages.py",
        "            live.touch()\n",
        "            pass\n",
    ),
    Fault(
        "where a table was posted again is not stored",
        "bot/messages/live_messages.py",
        "        await self._tables.save_post(table, replace(new, message=message))\n",
        "",
    ),
    Fault(
        "each copy of a table has the same nonce",
        "bot/messages/live_messages.py",
        '        nonce = f"{table.id}-page-{old.message % 10**9}"\n',
        '        nonce = f"{table.id}-page-{old.number}"\n',
    ),
    Fault(
        "the old copy of a table stays",
        "bot/messages/live_messages.py",
        "            await self._outbox.delete(table, post.channel, post.old)\n",
        "            pass\n",
    ),
    Fault(
        "people are called again and again",
        "bot/messages/calls.py",
        "        elif wanted.number > known or ",
        "        elif wanted.number >= known or ",
    ),
    Fault(
        "an old call stays beside the new one",
        "bot/messages/calls.py",
        "        if post is not None:\n            await self._delete(table, post)\n        pinged",
        "        pinged",
    ),
    Fault(
        "a table that was deleted does not return",
        "bot/messages/live_message.py",
        "                    self.is_lost, self._dirty = True, False\n",
        "                    self._dirty = False\n",
    ),
    Fault(
        "the card of a finished match says that it goes on",
        "bot/messages/publisher.py",
        "        await self.live.show_card(table)\n        is_read = await self._tidy(table)\n",
        "        is_read = await self._tidy(table)\n",
    ),
    Fault(
        "the card of a finished match gives places to the wrong people",
        "bot/messages/lobby_card.py",
        "placed(outcome, final_names(state, substituted), unit)",
        "placed(outcome, final_names(state, substituted)[::-1], unit)",
    ),
    Fault(
        "the last message of a match names the last player as its winner",
        "bot/messages/ending.py",
        "    first, *others = result.places\n    who, score = ",
        "    *others, first = result.places\n    who, score = ",
    ),
    Fault(
        "the channel reads that the last player has won",
        "bot/messages/ending.py",
        "    first, *others = result.places\n    who, title, score = ",
        "    *others, first = result.places\n    who, title, score = ",
    ),
    Fault(
        "what was not shown before a kill is not shown after it",
        "bot/messages/publisher.py",
        "        for match in self._recovery.doubted():\n            self._start_worker(match)\n",
        "        pass\n",
    ),
    Fault(
        "a lost thread is not left",
        "bot/messages/publisher.py",
        "            await self.live.fall_back(table, gone=True)\n",
        "            pass\n",
    ),
    Fault(
        "a finished table stays in memory",
        "bot/messages/publisher.py",
        "        self._tables.forget(table)\n",
        "",
    ),
    # Private messages
    Fault(
        "a private answer is shown to everybody",
        "bot/messages/answers.py",
        "ephemeral=not public, silent=silent, allowed_mentions=mentions\n",
        "ephemeral=False, silent=silent, allowed_mentions=mentions\n",
    ),
    Fault(
        "an open hand does not follow its table",
        "bot/messages/open_hands.py",
        "        tables.on_change.append(self.changed)\n",
        "",
    ),
    Fault(
        "an older hand keeps its buttons",
        "bot/messages/open_hands.py",
        "            self._refresh(newest)\n",
        "            pass\n",
    ),
    Fault(
        "a hand is edited when somebody acts in secret",
        "bot/messages/open_hands.py",
        "(self.looks_like(panel) or ",
        "(",
    ),
    Fault(
        "a slow click is never answered",
        "bot/messages/answers.py",
        "call_later(seconds - age(interaction), self._start)",
        "call_later(seconds + 60, self._start)",
    ),
    Fault(
        "a command that the bot thinks about is never answered",
        "bot/messages/answers.py",
        "        if is_followup:\n",
        "        if is_followup and interaction.message is None:\n            return None\n        if is_followup:\n",
    ),
    # Secrets
    Fault(
        "a hand is that of the next seat",
        "cogs/common/hand_panel.py",
        "    return table.state.game.view(table.state.game_state, seat)\n",
        "    return table.state.game.view(table.state.game_state, (seat + 1) % len(table.state.players))\n",
    ),
    Fault(
        "moves are written to the log of the program",
        "bot/match/tables.py",
        "        for listener in self.on_change:\n",
        '        log.info("table %s: %s", table.id, table.state.last)\n        for listener in self.on_change:\n',
    ),
    Fault(
        "bids are seen before all have bid",
        "games/twin_palms/view.py",
        "        bids=None if hidden else tuple(state.bids),\n",
        "        bids=tuple(state.bids),\n",
    ),
    # Standings
    Fault(
        "who let a computer play has won",
        "bot/match/attendance.py",
        "        return 2 * part.moves < self._moves[part.seat]\n",
        "        return False\n",
    ),
    Fault(
        "a season closes while its matches are played",
        "bot/store/sql/seasons.py",
        'f" AND NOT (?3 AND EXISTS',
        'f" AND NOT (?3 AND NOT EXISTS',
    ),
    # Deciding ahead
    Fault(
        "what was decided ahead is not played",
        "bot/match/state.py",
        "        if seat in self.ahead:\n",
        "        if False:\n",
    ),
    Fault(
        "a move by hand counts as the one that was decided ahead",
        "bot/match/table.py",
        "[Ahead(seat, user)] if seat in self.state.ahead else []",
        "[]",
    ),
    Fault(
        "what was decided ahead outlasts its round",
        "bot/match/state.py",
        "            if ended or self.phase",
        "            if self.phase",
    ),
    # Hours
    Fault(
        "time for a move passes in the night",
        "bot/match/deadlines.py",
        "    person = hours.get(state.players[seat].user) if _is_to_decide(state, seat) else None\n",
        "    person = None\n",
    ),
    # Boards
    Fault(
        "a board is posted again after a lost receipt",
        "cogs/board/cog.py",
        "        standing = await look_back(self.bot, place, BOARD) if may_read(self.bot, place) else []\n"
        "        if not standing:\n            began = self.bot.time.now()\n",
        "        standing = []\n"
        "        if not standing:\n            began = self._gone[channel] = self.bot.time.now()\n",
    ),
    Fault(
        "a deleted board is not missed",
        "cogs/common/once.py",
        "        if self._shown.pop((guild, message), None) is not None:\n",
        "        if False:\n",
    ),
    Fault(
        "that a bulletin is posted is not kept",
        "cogs/bulletins/cog.py",
        "        await self.bot.store.keep_bulletin(last._replace(message=former))\n",
        "        return\n",
    ),
    # Calls to tables
    Fault(
        "a call stays when its table has begun",
        "cogs/seeking/summoning.py",
        '    is_free = state.phase == "lobby" and table.has_free(challenged or 0)\n',
        "    is_free = table.has_free(challenged or 0)\n",
    ),
    Fault(
        "people who look for a game are called by every table",
        "cogs/seeking/summoning.py",
        "    return bot.tables.clock.times.calls\n",
        "    return 0\n",
    ),
    # Game nights
    Fault(
        "a round begins while tables of the last one play",
        "bot/match/nights.py",
        "        if not all(row.closed for row in await self._round(night)):\n",
        "        if not any(row.match for row in await self._round(night)):\n",
    ),
    Fault(
        "somebody who has left a night gets a seat",
        "bot/match/night_rows.py",
        "if not each.gone and each.user > 0}\n",
        "if each.user > 0}\n",
    ),
    # Seasons
    Fault(
        "the final table of a season is upside down",
        "cogs/standings/closing.py",
        "        rows = await self._bot.store.final_table(season.id)\n",
        "        rows = (await self._bot.store.final_table(season.id))[::-1]\n",
    ),
)
