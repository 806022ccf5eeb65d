import Foundation
import Core

/// The fetched files of the neural text reader.
///
/// `scripts/fetch-models` downloads them below `models/fetched`. The int8 and pruned variants are faster and
/// optional.
struct TextModels {
    let library: URL
    let detector: URL
    /// Reads every line first; nil if only the accurate reader is installed.
    let fastReader: ReaderFiles?
    /// Reads uncertain lines again.
    let exactReader: ReaderFiles
    /// The recogniser with the letters of all scripts; nil if it is not installed. It only names the script of a line.
    let fullReader: ReaderFiles?
    /// Reads dotted, stamped and embossed dates (`DateReaderFile`). It is ours and always there.
    let dateReader: URL

    struct ReaderFiles {
        let network: URL
        let characters: URL
    }

    /// Nil if a required file is missing. Text is then read by Tesseract alone.
    init?(models: ModelFolder) {
        let folder = models.url.appending(path: "fetched")
        func file(_ names: String...) -> URL? {
            names.map { folder.appending(path: $0) }.first { FileManager.default.isReadableFile(atPath: $0.path) }
        }
        guard let library = file("libonnxruntime.so"), let detector = file("det_small.int8.onnx", "det_small.onnx")
        else { return nil }
        func reader(_ network: String, _ characters: String) -> ReaderFiles? {
            guard let network = file(network), let characters = file(characters) else { return nil }
            return ReaderFiles(network: network, characters: characters)
        }
        guard
            let exact = reader("rec_small.pruned.onnx", "rec_small.pruned.dict.txt")
                ?? reader("rec_small.onnx", "rec_small.dict.txt")
        else { return nil }
        self.library = library
        self.detector = detector
        fastReader = reader("rec_small.int8.onnx", "rec_small.pruned.dict.txt")
        exactReader = exact
        fullReader = reader("rec_small.onnx", "rec_small.dict.txt")
        dateReader = models.url.appending(path: DateReaderFile.network)
    }
}

extension CharacterSetTable {
    /// Reads one character per line. Lines with several characters map to nothing.
    ///
    /// - Throws: `StartupError` if the file cannot be read.
    convenience init(file: URL, allScripts: Bool = false) throws {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw StartupError(.unavailable, "cannot read \(file.path): run scripts/fetch-models")
        }
        // The list ends with a line feed, which is not a character of the set.
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.last == " " else {
            throw StartupError(
                .configuration, "\(file.path): the last character is not a blank; run scripts/fetch-models again")
        }
        self.init(lines.map { $0.count == 1 ? $0.first : nil }, allScripts: allScripts)
    }
}
