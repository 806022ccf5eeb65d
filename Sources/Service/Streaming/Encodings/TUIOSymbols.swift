import Core

/// What TUIO's symbol id `i` says for each slot and type of a piece set.
public enum TUIOSymbols {
    private struct File: Decodable {
        struct Piece: Decodable {
            var slot: String?
            var type: String
            var tuioSymbol: Int?
        }
        var pieces: [Piece]
    }

    /// The set's own `tuioSymbol`s; where it gives none, the piece's place in the file, from 1 on.
    ///
    /// - Throws: ``StartupError`` where the set cannot be read.
    public static func load(set: String, from models: ModelFolder) throws -> [String: Int] {
        var symbols: [String: Int] = [:]
        for (index, piece) in try models.load(File.self, from: "piece-sets/\(set).json").pieces.enumerated() {
            let symbol = piece.tuioSymbol ?? index + 1
            if let slot = piece.slot { symbols[slot] = symbol }
            if symbols[piece.type] == nil { symbols[piece.type] = symbol }
        }
        return symbols
    }
}
