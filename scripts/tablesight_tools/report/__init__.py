"""The page docs/accuracy.md: one run against the peers, its figures, its tables and its plots."""
