internal import COpenCV
import Core

/// Detects a two-coloured board by the junctions of four squares. It needs no outline and works on a table of either
/// colour.
struct BoardJunctions {
    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels, and the strongest enlargement. Set on development photos, as all
        /// values here.
        var longSide = 800.0
        var minStep = 0.5
        /// Radius of the ring on which a place is sampled, pixels; squares must be some three times as large.
        var ringRadius = 5.0
        /// Differences of the ring's quarters below `minSums` and responses below `minResponse` are noise, 0…255 a
        /// sample; one response counts in a window of this side.
        var minSums = 60
        var minResponse: Float = 40
        var window = 9
        var maxJunctions = 300
        var minJunctions = 12
        /// Neighbours of a junction are at least this many ring radii away.
        var lattice = PointLattice.Parameters(
            maxStretch: 1.8, maxCosine: 0.5, steps: 2.2...Double.infinity, minFound: 0.45, minOfLattice: 0.7,
            maxMeanMisfit: 2.5)
    }

    var parameters = Parameters()

    /// Candidate boards of `rows` by `columns` squares, the one with most junctions first. There are several if the
    /// visible junctions are ambiguous.
    func all(in picture: Picture<UInt8>, rows: Int, columns: Int) throws(PictureFailure) -> [BoardQuadrangle] {
        let scale = max(parameters.minStep, Double(max(picture.width, picture.height)) / parameters.longSide)
        let grey = try picture.reduced(by: scale, enlarging: .linear).grey().blurred(3)
        let places = try junctions(in: grey)
        guard places.count >= parameters.minJunctions else { return [] }
        return try PointLattice(places, sizes: places.map { _ in parameters.ringRadius }, parameters.lattice)
            .boards(columns: columns, rows: rows, inset: 1)
            .map { BoardQuadrangle($0.corners.map { $0.enlarged(by: scale) }, residual: $0.residual * scale) }
    }

    /// Best first.
    private func junctions(in grey: Picture<UInt8>) throws(PictureFailure) -> [Point] {
        let response: Picture<Float> = try grey.filled {
            tcv_image_junctions($0, parameters.ringRadius, Int32(parameters.minSums), $1)
        }
        var (from, count) = (response.image, Int32(0))
        var found = [Double](repeating: 0, count: 3 * 8192)
        try PictureFailure.check(
            tcv_image_maxima(
                &from, Int32(parameters.window), parameters.minResponse, Int32(parameters.ringRadius) + 2, &found,
                Int32(found.count / 3), &count))
        let starts = (0..<min(Int(count), found.count / 3)).map { 3 * $0 }
        let best = starts.sorted { found[$0 + 2] > found[$1 + 2] }.prefix(parameters.maxJunctions)
        return best.map { Point(found[$0], found[$0 + 1]) }
    }
}
