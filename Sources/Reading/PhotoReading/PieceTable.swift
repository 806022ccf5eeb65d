import PieceRecognition
import Core

/// The piece sets known to this worker, each with its recogniser.
struct PieceTable {
    private let recognizers: [String: PieceRecognizer]
    /// Why the other sets cannot be used, by their names. People write their own sets, and one with a mistake must not
    /// keep the others, or all photos, from being read.
    private let faults: [String: String]

    /// Sets that are tried if the request names none. Coloured pieces come first, because they would also match the
    /// set of one colour.
    private static let defaultSets = ["tangram", "tangram-mono"]

    init(models: ModelFolder) throws {
        var (recognizers, faults): ([String: PieceRecognizer], [String: String]) = ([:], [:])
        for file in try models.names(in: "piece-sets", withExtension: "json") {
            let name = String(file.dropLast(".json".count))
            do { recognizers[name] = PieceRecognizer(set: try PreparedPieceSet.load(name, from: models)) } catch {
                faults[name] = (error as? StartupError)?.message ?? "\(error)"
            }
        }
        (self.recognizers, self.faults) = (recognizers, faults)
    }

    /// The pieces in the raster. Without a named set, the first default set with a board is used; else the frame is
    /// empty.
    func frame(of raster: Raster, set: String?) throws(ItemFailure) -> PieceFrame {
        if let set {
            guard let recognizer = recognizers[set] else {
                throw ItemFailure(
                    stage: .recognition, code: .decodeFailed, detail: faults[set] ?? "no piece set \(set)",
                    hint: "name one of \(recognizers.keys.sorted().joined(separator: ", "))")
            }
            return try recognizer.recognize(raster)
        }
        var empty = PieceFrame(board: nil, set: Self.defaultSets.joined(separator: ","), pieces: [])
        for name in Self.defaultSets {
            guard let frame = try recognizers[name]?.recognize(raster) else { continue }
            if frame.board != nil { return frame }
            empty.timing_ms.merge(frame.timing_ms) { $0 + $1 }
        }
        return empty
    }
}
