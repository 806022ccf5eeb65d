import Vocabulary

/// A decoder of barcodes: one call is one whole scan.
protocol SymbolScanner: Sendable {
    var engine: Sighting.Engine { get }
    /// Every symbol in the plane, with points in its pixels; none where memory ran out.
    func scan(_ plane: GrayPlane) -> [ScannedSymbol]
}

/// ZBar behind the decoders' protocol. Every scan has a scanner of its own: a used one remembers parts of codes, and reads
/// the next picture differently.
struct ZBarEngine: SymbolScanner {
    var engine: Sighting.Engine { .zbar }
    func scan(_ plane: GrayPlane) -> [ScannedSymbol] { ZBarScanner.scan(plane) }
}
