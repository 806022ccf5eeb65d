/// Parameters of the tracker. Times are nanoseconds of the stream's clock; no system clock is read.
package struct TrackingRules: Sendable, Hashable {
    /// Detections before a piece is accepted, so that flicker is ignored.
    package var hitsToAppear = 3
    /// Streams with longer intervals consist of separate stills: a piece is accepted at once and counts as resting.
    package var slowInterval = 250_000_000
    /// Assumed rest time of the pieces on a still; games require it.
    package var stillRest = 500_000_000
    /// Unseen time after which a piece is `occluded`.
    package var hiddenAfter = 60_000_000
    /// Unseen time after which a piece is removed: 45 frames at 30 per second.
    package var removedAfter = 1_500_000_000
    /// A piece this close to a covered area may be occluded, so it is not removed.
    package var coverMM = 12.0
    /// Unseen time after which a piece that was not accepted is dropped.
    package var flickerAfter = 90_000_000
    /// A detection with a smaller visible share keeps the old pose; below it 12 of 32 poses were wrong (prototype).
    package var leastVisible = 0.7
    /// Detections with less confidence are ignored.
    package var leastConfidence = 0.35
    /// A resting piece has left its place after `liftFrames` consecutive detections outside these limits.
    package var restMM = 1.5
    package var restDegrees = 3.0
    package var liftFrames = 3
    /// Seconds in which the place of rest takes 63 % of a drift: a piece that drifts faster than a limit in this time has
    /// left its place.
    package var restSeconds = 0.3
    /// The shown pose of a resting piece follows a detection at once at the limits above, and as slowly as the place of
    /// rest within this share of them, which is noise.
    package var quietShare = 0.25
    /// A piece rests if all detections of this time, at least `settleFrames`, are within these limits of the newest.
    package var settleTime = 150_000_000
    package var settleFrames = 4
    package var settleMM = 1.2
    package var settleDegrees = 2.0
    /// A piece that still drifts faster, per second, does not rest: it would leave its place again.
    package var settleMMPerSecond = 2.5
    package var settleDegreesPerSecond = 5.0
    /// Maximum distance from the expected position: base value, increase per second unseen, and upper limit.
    package var gateMM = 12.0
    package var gateMMPerSecond = 420.0
    package var mostGateMM = 260.0
    /// Weight of one degree of rotation in the matching cost, in millimetres.
    package var mmPerDegree = 0.15
    /// Time without a located board after which it is lost; until then its last position is used.
    package var boardLostAfter = 500_000_000

    package init() {}
}
