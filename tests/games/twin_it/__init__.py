"""Twin It!: its rules as positions, a referee who follows the events, six people clicking, and golden games."""
