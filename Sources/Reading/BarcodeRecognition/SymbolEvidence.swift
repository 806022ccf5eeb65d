import Core

/// A detection of a symbol by one decoder in one view.
struct Detection: Hashable {
    enum Engine: String, Hashable { case zbar, zxing, templates }

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
    /// The largest margin among the plausible fits of this number. Nil if no fit is plausible.
    var margin: Double?
    /// What the bars say about the decoders' number. Nil if they were not compared with it.
    var doubt: BarDoubt?
    /// The number whose bars this one's are mixed with, if the decoders read another one.
    var rivalOf: ScannedSymbol.Identity?

    /// True if both decoders that look for edges read the code.
    var isDetectedByBoth: Bool { decoders.count > 1 }
    /// The decoders that read the code by its edges.
    var decoders: Set<Detection.Engine> { Set(detections.map(\.engine)).subtracting([.templates]) }
    /// Decoders that read the code on the unchanged picture.
    var plainEngines: Set<Detection.Engine> { Set(detections.filter { $0.view == DecodeAttempt.plain }.map(\.engine)) }
}
