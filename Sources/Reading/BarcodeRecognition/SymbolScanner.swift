import Core

/// A decoder of barcodes: one call is one whole scan.
protocol SymbolScanner: Sendable {
    var engine: Sighting.Engine { get }
    /// Every symbol in the plane, with points in its pixels; none where memory ran out.
    func scan(_ plane: GrayPlane) -> [ScannedSymbol]
}

/// ZBar behind the decoders' protocol. Every scan has a scanner of its own: a used one remembers parts of codes, and reads
/// the next picture differently.
struct ZBarEngine: SymbolScanner {
    /// Which way scan lines run; where bars stand upright, columns tell nothing and cost as much as rows.
    var lines = ZBarScanner.Lines.both

    var engine: Sighting.Engine { .zbar }
    func scan(_ plane: GrayPlane) -> [ScannedSymbol] { ZBarScanner.scan(plane, lines) }
}
