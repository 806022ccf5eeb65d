import Testing

/// What the daemon promises, checked on the real program; `scripts/promises` measures the same at full size.
@Suite(.serialized) struct PromiseTests {}
