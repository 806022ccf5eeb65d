import PieceRecognition
import Core

/// The piece sets this worker knows, each with its recogniser.
struct PieceTable {
    private let recognizers: [String: PieceRecognizer]

    /// Sets that are tried where nobody named one, in this order: coloured pieces would pass for one-coloured ones.
    private static let usual = ["tangram", "tangram-mono"]

    init(models: ModelFolder) throws {
        recognizers = try Dictionary(
            uniqueKeysWithValues: models.names(in: "piece-sets", withExtension: "json").map { file in
                let name = String(file.dropLast(".json".count))
                return (name, PieceRecognizer(set: try PieceSet.load(name, from: models)))
            })
    }

    /// The pieces on the table; where no set was named, of the first usual set that finds a board, else no pieces.
    func frame(of raster: Raster, set: String?) throws(ItemFailure) -> PieceFrame {
        if let set {
            guard let recognizer = recognizers[set] else {
                throw ItemFailure(
                    stage: .recognition, code: .decodeFailed, detail: "no piece set \(set)",
                    hint: "name one of \(recognizers.keys.sorted().joined(separator: ", "))")
            }
            return recognizer.recognize(raster)
        }
        var empty = PieceFrame(board: nil, set: Self.usual.joined(separator: ","), pieces: [])
        for name in Self.usual {
            guard let frame = recognizers[name]?.recognize(raster) else { continue }
            if frame.board != nil { return frame }
            empty.timing_ms.merge(frame.timing_ms) { $0 + $1 }
        }
        return empty
    }
}
