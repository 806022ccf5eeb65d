/// The values of a domino by two ways of reading: separate spots counted, and arrangements compared.
struct DominoValues {
    struct Parameters: Sendable {
        /// Margin, in places, from which the arrangement decides against the count of spots.
        var decisive = 0.6
        /// Certainty of a number that only the arrangement gives.
        var arrangementAlone = 0.8
    }

    /// The values and their certainty 0…1; nil if the ways contradict each other without a winner.
    let agreed: (counts: [Int], certainty: Double)?

    /// - Parameter counted: Spots on both halves, and the certainty of the count.
    init(
        _ counted: (counts: [Int], certainty: Double), on face: TileFace, most: Int, _ parameters: Parameters = .init()
    ) {
        var (values, certainty) = counted
        for (index, half) in DominoFace(face).halves().enumerated() {
            // A glint or a scratch on a blank half is no number.
            guard let half, values[index] > 0, half.value != values[index] else { continue }
            guard half.margin >= parameters.decisive, half.value <= most else {
                agreed = nil
                return
            }
            values[index] = half.value
            certainty *= parameters.arrangementAlone * min(1, half.margin)
        }
        agreed = (values, certainty)
    }
}
