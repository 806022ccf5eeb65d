import Core

/// Detects the pieces of one set in a photo. Each family of sets has its own.
///
/// A detector scores what it finds and names its evidence. ``PieceCalibration`` turns the evidence into a probability.
protocol PieceDetector: Sendable {
    /// - Throws: ``PictureFailure`` if a primitive fails. "Nothing found" is an answer, not an error.
    func detections(in raster: Raster) throws -> PieceDetections
}

/// The pieces that a detector found.
struct PieceDetections: Sendable {
    /// The frame. The confidence of its pieces is the detector's score, 0…1, not yet a probability.
    var frame: PieceFrame
    /// The evidence for each piece, in the order of `frame.pieces`; empty if the score is all there is.
    var features: [PieceFeatures] = []

    init(frame: PieceFrame, features: [PieceFeatures] = []) { (self.frame, self.features) = (frame, features) }

    /// A frame without pieces and board.
    init(none set: PreparedPieceSet) { frame = PieceFrame(board: nil, set: set.identifier, pieces: []) }
}

/// The evidence for one piece: a few values by name, each 0…1 and higher for better evidence.
struct PieceFeatures: Sendable, Hashable {
    private(set) var values: [String: Double]

    init(_ values: [String: Double] = [:]) { self.values = values }

    /// A name that was not set is 0.
    subscript(name: String) -> Double {
        get { values[name] ?? 0 }
        set { values[name] = newValue }
    }
}
