import Core

/// A detection of a symbol by one decoder in one view.
struct Detection: Hashable {
    enum Engine: String, Hashable { case zbar, zxing }

    var engine: Engine
    /// Name of the view. A second scan of the same view is not a second detection.
    var view: String
}

/// The detections of one code over all views and decoders.
struct SymbolEvidence {
    var symbol: ScannedSymbol
    /// Name of the first attempt that detected the code.
    var firstAttempt: String
    /// Location in the whole picture, pixels.
    var points: [Point]
    /// True if `points` are the symbol's corners; false if they are crossings of scan lines.
    var isOutline: Bool
    var detections: Set<Detection> = []

    var isDetectedByBoth: Bool { Set(detections.map(\.engine)).count > 1 }
    /// Decoders that read the code on the unchanged picture.
    var plainEngines: Set<Detection.Engine> { Set(detections.filter { $0.view == DecodeAttempt.plain }.map(\.engine)) }
}
