import Core

/// One decoder's word on one view of a picture.
struct Sighting: Hashable {
    enum Engine: String, Hashable { case zbar, zxing }

    var engine: Engine
    /// The view, by its step's name: a second look at the same view is no second word.
    var view: String
}

/// Everything that was seen of one code, over all views and decoders.
struct SymbolEvidence {
    var symbol: ScannedSymbol
    /// The first step that saw it.
    var step: String
    /// Where it lies in the whole picture.
    var points: [Point]
    /// True where `points` are the corners of the symbol, and not where scan lines met it.
    var isOutline: Bool
    var sightings: Set<Sighting> = []

    var isSeenByBoth: Bool { Set(sightings.map(\.engine)).count > 1 }
    /// Decoders that read it on the picture as it is.
    var plainEngines: Set<Sighting.Engine> { Set(sightings.filter { $0.view == RescueStep.plain }.map(\.engine)) }
}
