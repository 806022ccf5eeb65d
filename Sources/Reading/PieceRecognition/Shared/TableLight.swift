internal import COpenCV
import Core

/// The colour of a plain table as a quadratic surface over the picture. It models the table and the light on it.
struct TableLight {
    struct Parameters: Sendable {
        /// Longer side of the copy on which the surface is fitted, pixels.
        var fittingSide = 120.0
        /// Largest difference of a table's pixel from the surface, 0…255; and the smallest limit.
        var reach = 42.0
        var minReach = 14.0
        /// The limit in multiples of the noise.
        var reachInNoise = 5.0
        var rounds = 5
        /// Fewest pixels that determine a surface.
        var minPixels = 200
        /// Noise of a table's pixels before it is measured, and its minimum, 0…255.
        var firstNoise = 3.0
        var minNoise = 1.0
        /// A table of less tint is grey, and shows the colour of the light: share of the brightest channel.
        var maxGreyTint = 0.25
        /// A darker table shows nothing of the light, 0…255; the second for a table known to be white.
        var minBrightness = 70.0
        var minWhiteBrightness = 16.0
        /// Brightness of the table in even light, 0…255, and the darkest light that is corrected.
        var evenBrightness: Float = 238
        var darkest: Float = 24
    }

    /// Six coefficients of 1, x, y, xy, x², y² for each channel; x and y run −1…1.
    let surface: [Double]
    /// Median difference of the table from the surface, 0…255.
    let noise: Double
    /// Saturation of the table, 0…1: its own colour or the light's.
    let tint: Double
    private let brightest: Double
    private let parameters: Parameters

    /// Iterated least squares over the pixels that agree with the previous surface, from the commonest colour.
    init(_ work: Picture<UInt8>, parameters: Parameters = Parameters()) throws(PictureFailure) {
        let less = max(1, Double(max(work.width, work.height)) / parameters.fittingSide)
        let small = try work.scaled(
            toWidth: max(1, Int(Double(work.width) / less)), height: max(1, Int(Double(work.height) / less)), .area)
        var surface = [Double](repeating: 0, count: 18)
        for (channel, value) in Self.commonestColour(small).enumerated() { surface[6 * channel] = value }
        var (noise, reach) = (parameters.firstNoise, parameters.reach)
        for _ in 0..<parameters.rounds {
            var normal = [Double](repeating: 0, count: 36)
            var right = [Double](repeating: 0, count: 18)
            var (image, median, count) = (small.image, 0.0, Int32(0))
            try PictureFailure.check(
                tcv_surface_sums(&image, surface, reach, &normal, &right, &median, &count))
            for index in 0..<6 { normal[7 * index] += 1e-3 }
            guard count >= parameters.minPixels, Cholesky.solve(&normal, &right, size: 6, columns: 3) else { break }
            for channel in 0..<3 {
                for index in 0..<6 { surface[6 * channel + index] = right[3 * index + channel] }
            }
            noise = max(parameters.minNoise, median)
            reach = min(parameters.reach, max(parameters.minReach, parameters.reachInNoise * noise))
        }
        let middle = (0..<3).map { surface[6 * $0] }
        brightest = middle.max() ?? 0
        tint = (brightest - (middle.min() ?? 0)) / max(1, brightest)
        (self.surface, self.noise, self.parameters) = (surface, noise, parameters)
    }

    /// The difference of each pixel from the table, and the picture as on a white table in even light.
    ///
    /// - Parameter tableIsWhite: True attributes any tint of the table to the light.
    func even(
        _ work: Picture<UInt8>, tableIsWhite: Bool
    ) throws(PictureFailure) -> (difference: Picture<UInt8>, even: Picture<UInt8>) {
        // A nearly grey table shows the colour of the light, so each channel is corrected by itself. A coloured table
        // shows only its brightness, and a dark one nothing.
        let isDark = brightest < (tableIsWhite ? parameters.minWhiteBrightness : parameters.minBrightness)
        let isNeutral = tableIsWhite || tint < parameters.maxGreyTint
        let how = isDark ? TCV_LIGHT_IGNORED : isNeutral ? TCV_LIGHT_BY_CHANNEL : TCV_LIGHT_COMMON
        let difference = Picture<UInt8>(width: work.width, height: work.height)
        let even = Picture<UInt8>(width: work.width, height: work.height, channels: 3)
        var (from, off, to) = (work.image, difference.image, even.image)
        try PictureFailure.check(
            tcv_surface_even(
                &from, surface, Int32(how), parameters.evenBrightness, parameters.darkest, &off, &to))
        return (difference, even)
    }

    /// The mode of a coarse, smoothed colour histogram. A plain table covers most of the picture.
    private static func commonestColour(_ small: Picture<UInt8>) -> [Double] {
        let n = 12
        var bins = [Int32](repeating: 0, count: n * n * n)
        for y in 0..<small.height {
            for x in 0..<small.width {
                let (r, g, b) = small.rgb(x, y)
                bins[(Int(r) * n / 256 * n + Int(g) * n / 256) * n + Int(b) * n / 256] += 1
            }
        }
        // Sums over three neighbours along each axis in turn.
        for step in [1, n, n * n] {
            let before = bins
            for index in bins.indices {
                let place = index / step % n
                if place > 0 { bins[index] += before[index - step] }
                if place < n - 1 { bins[index] += before[index + step] }
            }
        }
        var best = 0
        for index in bins.indices where bins[index] > bins[best] { best = index }
        return [best / (n * n), best / n % n, best % n].map { (Double($0) + 0.5) * (256 / Double(n)) }
    }
}
