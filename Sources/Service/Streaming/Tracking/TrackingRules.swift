/// Parameters of the tracker. Times are nanoseconds of the stream's clock; no system clock is read.
public struct TrackingRules: Sendable, Hashable {
    /// Detections before a piece is accepted, so that flicker is ignored.
    public var hitsToAppear = 3
    /// Streams with longer intervals consist of separate stills: a piece is accepted at once and counts as resting.
    public var slowInterval = 250_000_000
    /// Assumed rest time of the pieces on a still; games require it.
    public var stillRest = 500_000_000
    /// Unseen time after which a piece is `occluded`.
    public var hiddenAfter = 60_000_000
    /// Unseen time after which a piece is removed: 45 frames at 30 per second.
    public var removedAfter = 1_500_000_000
    /// A piece this close to a covered area may be occluded, so it is not removed.
    public var coverMM = 12.0
    /// Unseen time after which a piece that was not accepted is dropped.
    public var flickerAfter = 90_000_000
    /// A detection with a smaller visible share keeps the old pose; below it 12 of 32 poses were wrong (prototype).
    public var leastVisible = 0.7
    /// Detections with less confidence are ignored.
    public var leastConfidence = 0.35
    /// A resting piece has left its place after `liftFrames` consecutive detections outside these limits.
    public var restMM = 1.5
    public var restDegrees = 3.0
    public var liftFrames = 3
    /// A piece rests if all detections of this time, at least `restFrames`, are within these limits of the newest.
    public var settleTime = 150_000_000
    public var settleFrames = 4
    public var settleMM = 1.2
    public var settleDegrees = 2.0
    /// Maximum distance from the expected position: base value, increase per second unseen, and upper limit.
    public var gateMM = 12.0
    public var gateMMPerSecond = 420.0
    public var mostGateMM = 260.0
    /// Weight of one degree of rotation in the matching cost, in millimetres.
    public var mmPerDegree = 0.15
    /// Time without a located board after which it is lost; until then its last position is used.
    public var boardLostAfter = 500_000_000

    public init() {}
}
