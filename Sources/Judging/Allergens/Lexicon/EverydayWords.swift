import Foundation
import Synchronization
import Core

/// The everyday words of languages, from the system's word lists (`models/text/languages.json`, `wordLists`).
///
/// A language's lists are read when its first word is looked up, into a table of hashes. Without the lists no word counts as
/// everyday, and a near word of a lexicon warns.
final class EverydayWords: Sendable {
    private struct File: DataFile {
        static let schema = "tablesight.printLanguages/1"

        struct Language: Decodable {
            var code: String
            var wordLists: [String]
        }
        var languages: [Language]
    }
    /// The hashes of a language's words as listed, by open addressing; 0 is an empty place.
    private final class Table: Sendable {
        private let places: [UInt64]

        init(_ files: [URL]) {
            let lists = files.compactMap { try? Data(contentsOf: $0, options: .alwaysMapped) }
            let newlines = lists.reduce(0) { $0 + $1.count / 8 }
            var size = 64
            while size < newlines * 2 { size *= 2 }
            var places = [UInt64](repeating: 0, count: size)
            var used = 0
            for list in lists {
                list.withUnsafeBytes { bytes in
                    var start = 0
                    while start < bytes.count, used < size / 2 {
                        var end = start
                        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
                        // In hunspell's lists inflection flags follow a slash.
                        let word = bytes[start..<end].prefix { $0 != 0x2F && $0 != 0x09 && $0 != 0x0D }
                        if !word.isEmpty {
                            Self.insert(PhraseTrie.hash(UnsafeRawBufferPointer(rebasing: word)) | 1, into: &places)
                            used += 1
                        }
                        start = end + 1
                    }
                }
            }
            self.places = places
        }

        private static func insert(_ hash: UInt64, into places: inout [UInt64]) {
            let mask = places.count - 1
            var place = Int(truncatingIfNeeded: hash >> 20) & mask
            while places[place] != 0, places[place] != hash { place = (place + 1) & mask }
            places[place] = hash
        }

        func contains(_ word: String) -> Bool {
            let hash = PhraseTrie.hash(word.utf8) | 1
            let mask = places.count - 1
            var place = Int(truncatingIfNeeded: hash >> 20) & mask
            while places[place] != 0 {
                if places[place] == hash { return true }
                place = (place + 1) & mask
            }
            return false
        }
    }

    private let files: [String: [URL]]
    private let tables = Mutex([String: Table]())

    init(files: [String: [URL]] = [:]) { self.files = files }

    /// - Parameter folder: folder of the system's word lists.
    /// - Throws: `StartupError` if `models/text/languages.json` is missing or invalid.
    convenience init(models: ModelFolder, folder: URL = URL(filePath: "/usr/share/dict")) throws {
        let languages = try models.load(File.self, from: "text/languages.json").languages
        self.init(
            files: Dictionary(
                languages.map { ($0.code, $0.wordLists.map { folder.appending(path: $0) }) },
                uniquingKeysWith: { first, _ in first }))
    }

    /// The languages with a readable list, sorted.
    var languages: [String] {
        files.filter { $0.value.contains { FileManager.default.isReadableFile(atPath: $0.path) } }.keys.sorted()
    }

    /// True if a list of the language has the printed word, in lower case or capitalised.
    func contains(_ printed: String, in language: String) -> Bool {
        guard let files = files[language], !printed.isEmpty else { return false }
        let table = tables.withLock { tables in
            if let known = tables[language] { return known }
            let new = Table(files)
            tables[language] = new
            return new
        }
        let word = printed.lowercased()
        return table.contains(word) || table.contains(word.prefix(1).uppercased() + word.dropFirst())
    }
}
