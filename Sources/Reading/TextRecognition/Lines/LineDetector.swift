import Core

/// Detects lines of text on a page, including curved ones.
protocol LineDetector {
    /// Lines in no particular order, in pixels of the page.
    /// - Throws: `ItemFailure` if the detector fails on this page.
    func lines(on page: Raster, search: PrintSearch) throws -> [DetectedLine]

    /// Searches the page closely and keeps the lines until the next search.
    func foresee(_ page: Raster)
}

/// The location of a detected line of text.
struct DetectedLine: Sendable {
    var shape: LineShape
    /// The detector's confidence 0…1, not calibrated.
    var score: Double
}
