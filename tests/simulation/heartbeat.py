"""discord.py's heartbeat without a thread."""

import time
from asyncio import Task, TimerHandle

from discord.gateway import KeepAliveHandler


class Heartbeat(KeepAliveHandler):
    """Sends heartbeats by a timer of the event loop."""

    _timer: TimerHandle | None = None
    _sending: "Task[None] | None" = None

    def start(self) -> None:
        self._timer = self.ws.loop.call_later(self.interval or 0.0, self._beat)

    def stop(self) -> None:
        super().stop()
        if self._timer is not None:
            self._timer.cancel()

    def _beat(self) -> None:
        self._sending = self.ws.loop.create_task(self._send())

    async def _send(self) -> None:
        if self._last_recv + self.heartbeat_timeout < time.perf_counter():
            self.stop()
            await self.ws.close(4000)
            return
        try:
            await self.ws.send_heartbeat(self.get_payload())
        except Exception:
            self.stop()
        else:
            self._last_send = time.perf_counter()
            if not self._stop_ev.is_set():
                self.start()
