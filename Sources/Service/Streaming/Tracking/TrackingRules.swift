/// The figures that tracking goes by. Times are in nanoseconds of the stream's own clock: no clock of the machine is read.
public struct TrackingRules: Sendable, Hashable {
    /// Sightings before a piece is believed, so that a flicker makes none.
    public var hitsToAppear = 3
    /// A stream with longer intervals than this is a row of separate looks: a piece is believed at once, and taken to rest.
    public var slowInterval = 250_000_000
    /// How long the pieces of such a look are taken to have rested: what games ask for.
    public var stillRest = 500_000_000
    /// Unseen for longer, a piece is `occluded`.
    public var hiddenAfter = 60_000_000
    /// Unseen for longer, a piece is removed: 45 frames at 30 a second.
    public var removedAfter = 1_500_000_000
    /// A covered place this near to a piece's middle may hide it: it is not removed then.
    public var coverMM = 12.0
    /// A never believed piece is dropped when unseen for longer.
    public var flickerAfter = 90_000_000
    /// A sighting that shows less of the piece holds the old pose: below this share 12 of 32 poses were wrong (prototype).
    public var leastVisible = 0.7
    /// A sighting less sure than this is none.
    public var leastConfidence = 0.35
    /// A resting piece that is off by more than these, for `liftFrames` sightings in a row, has left its place.
    public var restMM = 1.5
    public var restDegrees = 3.0
    public var liftFrames = 3
    /// A piece rests when all sightings of this time, and at least `restFrames`, lie within these of the newest.
    public var settleTime = 150_000_000
    public var settleFrames = 4
    public var settleMM = 1.2
    public var settleDegrees = 2.0
    /// How far a piece may be from where it is expected: reach at once, then for each second unseen, up to a bound.
    public var gateMM = 12.0
    public var gateMMPerSecond = 420.0
    public var mostGateMM = 260.0
    /// Millimetres that one degree of turn weighs in the pairing.
    public var mmPerDegree = 0.15
    /// The board is lost when it was not located for this long; until then its last place stands.
    public var boardLostAfter = 500_000_000

    public init() {}
}
