"""The tables `preferences` and `lessons`."""

import json
from collections.abc import Collection, Sequence
from dataclasses import astuple, fields

from bot.store.rows import Preferences
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database


class PersonStore(Connections):
    """Preferences and lessons of people."""

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences; for a new person, the defaults."""
        return (await self.preferences_of([user]))[user]

    async def preferences_of(self, users: Collection[int]) -> dict[int, Preferences]:
        """Return the preferences of some people."""
        rows = await self._read(
            "SELECT user, hand, pings, pictures, cards, card_order, ratings, alias, replays, challenges"
            " FROM preferences WHERE user IN (SELECT value FROM json_each(?))",
            json.dumps([*users]),
        )
        return dict.fromkeys(users, Preferences()) | {user: Preferences(*row) for user, *row in rows}

    async def set_preference(self, user: int, preference: str, word: str) -> None:
        """Change one preference, named by its field. Raises ValueError for an unknown field, StoreFailed for a
        word that is not one of its values."""
        usual = Preferences()
        # Only names from this dictionary become part of the query.
        columns = {field.name: field.name for field in fields(usual)} | {"order": "card_order"}
        if preference not in columns:
            raise ValueError(f"there is no preference {preference!r}")

        async def work(db: Database) -> None:
            marks = ", ".join("?" * len(columns))
            await db.execute(
                f"INSERT INTO preferences (user, {', '.join(columns.values())}) VALUES (?, {marks})"  # noqa: S608
                " ON CONFLICT DO NOTHING",
                (user, *astuple(usual)),
            )
            query = f"UPDATE preferences SET {columns[preference]} = ? WHERE user = ?"  # noqa: S608
            await db.execute(query, (word, user))

        await self._writer.write(work)

    async def who_want_pings(self, users: Sequence[int], *, urgent: bool) -> list[int]:
        """Return those of `users` who want to be mentioned for their turn, or with `urgent` for a reminder."""
        wanted = ("always", "only reminders") if urgent else ("always",)
        return [user for user, each in (await self.preferences_of(users)).items() if each.pings in wanted]

    async def lesson(self, user: int, game: str) -> int:
        """Return the number of steps that a person has done in the lesson of a game."""
        rows = await self._read("SELECT steps FROM lessons WHERE user = ? AND game = ?", user, game)
        return next((steps for (steps,) in rows), 0)

    async def set_lesson(self, user: int, game: str, steps: int) -> None:
        """Keep the number of steps that a person has done in the lesson of a game."""
        await self._change(
            "INSERT INTO lessons VALUES (?1, ?2, ?3) ON CONFLICT (user, game) DO UPDATE SET steps = ?3",
            user,
            game,
            steps,
        )

    async def offer_lesson(self, user: int, game: str) -> bool:
        """Keep that a person was offered the lesson of a game. Return False, and keep nothing, if they were offered it
        before or have begun it, or have a result or a daily attempt in that game."""
        return await self._change(
            "INSERT INTO lessons SELECT ?1, ?2, 0"
            " WHERE NOT EXISTS (SELECT 1 FROM results WHERE user = ?1 AND game = ?2)"
            " AND NOT EXISTS (SELECT 1 FROM daily_attempts AS a JOIN matches AS m ON m.id = a.match"
            " WHERE a.user = ?1 AND m.game = ?2) ON CONFLICT DO NOTHING",
            user,
            game,
        )
