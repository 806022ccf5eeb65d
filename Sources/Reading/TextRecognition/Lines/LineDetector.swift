import Core

/// Finds the lines of print on a page, bent ones too: the role that every line detector plays.
protocol LineDetector {
    /// Lines in no order, in pixels of the page.
    ///
    /// Throws `ItemFailure` where the detector gives up on this page.
    func lines(on page: Raster) throws -> [DetectedLine]
}

/// A place where a line of print seems to be.
struct DetectedLine: Sendable {
    var shape: LineShape
    /// How sure the detector is, 0…1, not calibrated.
    var score: Double
}
