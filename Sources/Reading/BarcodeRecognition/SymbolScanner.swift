import Core

/// A barcode decoder. One call is one complete scan.
protocol SymbolScanner: Sendable {
    var engine: Detection.Engine { get }
    /// Every symbol in the plane, with points in its pixels. Empty if memory runs out.
    func scan(_ plane: GrayPlane) -> [ScannedSymbol]
}

/// Adapts ZBar to ``SymbolScanner``.
///
/// Each scan uses a new scanner object, because a used one keeps partial codes that change the next result.
struct ZBarEngine: SymbolScanner {
    /// Direction of the scan lines. For upright bars, columns give no information and cost as much as rows.
    var lines = ZBarScanner.Lines.both
    var kinds = ZBarScanner.Kinds.all

    var engine: Detection.Engine { .zbar }
    func scan(_ plane: GrayPlane) -> [ScannedSymbol] { ZBarScanner.scan(plane, lines, kinds) }
}
