import Core
import Foundation

/// Histograms of gradient directions over the face's box (Dalal and Triggs 2005), independent of stroke width.
///
/// On letters of fonts without a template, they err a tenth as often as the overlap of inked areas does.
struct OutlineFeatures: Sendable {
    /// Normalised to length 1, so that a dot product is a similarity. Cells row by row; directions clockwise from the
    /// positive x axis.
    let values: [SIMD8<Float>]

    /// Empty cells around the face. A square that fills its box has outlines there.
    private static let margin = 2
    private static let side = FaceTemplate.size + 2 * margin
    private static let directions = 8
    /// Cells on each side, one for every four raster cells.
    private static let places = 7
    private static let step = 4
    /// Half the window of one histogram, raster cells.
    private static let reach = 5
    private static let sigma: Float = 2

    /// - Parameter coverage: Inked share of each cell, 0…1, row by row.
    init(_ coverage: [Float]) {
        let (n, size) = (Self.side, FaceTemplate.size)
        var plane = [Float](repeating: 0, count: n * n)
        for row in 0..<size {
            for column in 0..<size {
                plane[(row + Self.margin) * n + column + Self.margin] = coverage[row * size + column]
            }
        }
        plane = Self.softened(plane)
        let sums = Self.histograms(plane)
        // The square root keeps one strong edge from dominating.
        let length = max(1e-6, sums.reduce(.zero, +).sum()).squareRoot()
        values = sums.map { $0.squareRoot() / length }
    }

    /// Amount of outline in each direction near each place.
    private static func histograms(_ plane: [Float]) -> [SIMD8<Float>] {
        let n = side
        var sums = [Float](repeating: 0, count: places * places * directions)
        for y in 1..<n - 1 {
            for x in 1..<n - 1 {
                let at = y * n + x
                let dx =
                    2 * (plane[at + 1] - plane[at - 1]) + plane[at - n + 1] - plane[at - n - 1] + plane[at + n + 1]
                    - plane[at + n - 1]
                let dy =
                    2 * (plane[at + n] - plane[at - n]) + plane[at + n - 1] - plane[at - n - 1] + plane[at + n + 1]
                    - plane[at - n + 1]
                let strength = (dx * dx + dy * dy).squareRoot()
                guard strength > 1e-3 else { continue }
                let turn = atan2(dy, dx) / (2 * .pi) * Float(directions) + Float(directions)
                let lower = Int(turn)
                let part = turn - Float(lower)
                let (one, other) = (lower % directions, (lower + 1) % directions)
                for (row, down) in weights[y] {
                    for (column, across) in weights[x] {
                        let place = (row * places + column) * directions
                        let share = strength * down * across
                        sums[place + one] += share * (1 - part)
                        sums[place + other] += share * part
                    }
                }
            }
        }
        return (0..<places * places).map { place in
            SIMD8(sums[place * directions..<(place + 1) * directions])
        }
    }

    init(_ template: FaceTemplate) { self.init(template.coverage) }

    private init(values: [SIMD8<Float>]) { self.values = values }

    /// The features after a quarter turn counter-clockwise.
    var rotated: OutlineFeatures {
        let n = Self.places
        var rotated = values
        for row in 0..<n {
            for column in 0..<n {
                // (row, column) moves to (last − column, row); directions rotate with it.
                let old = values[row * n + column]
                rotated[(n - 1 - column) * n + row] = SIMD8(
                    lowHalf: SIMD4(old[2], old[3], old[4], old[5]), highHalf: SIMD4(old[6], old[7], old[0], old[1]))
            }
        }
        return OutlineFeatures(values: rotated)
    }

    func likeness(to other: OutlineFeatures) -> Float {
        var sums = SIMD8<Float>.zero
        for place in values.indices { sums += values[place] * other.values[place] }
        return sums.sum()
    }

    /// A Gaussian of .8 cells.
    private static func softened(_ plane: [Float]) -> [Float] {
        let n = side
        let kernel: [Float] = [0.0219, 0.2285, 0.4992, 0.2285, 0.0219]
        var across = plane
        for y in 0..<n {
            for x in 0..<n {
                var sum: Float = 0
                for k in -2...2 where x + k >= 0 && x + k < n { sum += kernel[k + 2] * plane[y * n + x + k] }
                across[y * n + x] = sum
            }
        }
        var down = across
        for y in 0..<n {
            for x in 0..<n {
                var sum: Float = 0
                for k in -2...2 where y + k >= 0 && y + k < n { sum += kernel[k + 2] * across[(y + k) * n + x] }
                down[y * n + x] = sum
            }
        }
        return down
    }

    /// For each cell along one axis, the nearby places with their weights.
    private static let weights: [[(Int, Float)]] = (0..<side).map { cell in
        (0..<places).compactMap { place in
            // Symmetric about the centre, so that rotating the face permutes the places.
            let off = Float(cell) - (Float(place * step) + Float(side - 1 - (places - 1) * step) / 2)
            return abs(off) > Float(reach) ? nil : (place, exp(-off * off / (2 * sigma * sigma)))
        }
    }
}
