import Core

/// TUIO symbol ids (`i`) of the slots and types of a piece set.
package enum TUIOSymbols {
    /// The set's `tuioSymbol` values; a piece without one gets its position in the file, from 1.
    ///
    /// - Throws: ``StartupError`` if the set cannot be read.
    package static func load(set: String, from models: ModelFolder) throws -> [String: Int] {
        var symbols: [String: Int] = [:]
        for (index, piece) in try PieceSet.named(set, in: models).pieces.enumerated() {
            let symbol = piece.tuioSymbol ?? index + 1
            if let slot = piece.slot { symbols[slot] = symbol }
            if symbols[piece.type] == nil { symbols[piece.type] = symbol }
        }
        return symbols
    }
}
