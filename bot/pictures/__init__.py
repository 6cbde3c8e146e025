"""Pictures: SVG becomes sprites, sprites become pictures, and pictures become files, in a worker process.

Offers `scene` (the data that a picture shows), `drawing` (makes a picture of a scene), `worker_client` (lets the
rasterizer, a worker process, draw it), and the decks of cards.
"""
