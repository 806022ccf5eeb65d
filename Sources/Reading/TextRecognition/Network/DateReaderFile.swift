import Core

/// The decoded `models/dates/reader.json`: what the network beside it, `reader.onnx`, answers.
///
/// It reads one line of dotted, stamped or embossed print, and is trained on rendered lines alone (`scripts/train-dates`).
struct DateReaderFile: DataFile {
    static let schema = "tablesight.date-reader/1"
    static let remedy = "restore it or make it with scripts/train-dates"
    static let path = "dates/reader.json"
    static let network = "dates/reader.onnx"

    /// Part of the engine's version: other weights read otherwise, and stored readings are then read again.
    var version: String
    /// The letters of the network's classes after the first, which means "no letter"; the blank is last.
    var letters: String

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            Set(letters).count == letters.count && letters.last == " " && "0123456789".allSatisfy(letters.contains),
            "letters", "each once, all digits among them and a blank at the end")
    }
}
