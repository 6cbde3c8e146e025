"""Twin It! on Discord: its designs and the picture of its table."""
