"""Pictures: SVG becomes sprites, sprites become pictures, and pictures become PNG files, off the event loop.

May import `games` and `bot.worker_process`. Offers `scene` (the data that a picture shows), `drawing` (makes a picture
of a scene), `picture` (draws it in a thread), `raster` (asks the rasterizer, a worker process), and the decks of cards.
"""
