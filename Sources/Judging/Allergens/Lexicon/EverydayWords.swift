import Foundation
import Synchronization
import Core

/// The everyday words of languages, from the system's word lists (`models/text/languages.json`, `wordLists`).
///
/// Only a few words of a page are looked up, so the lists are searched in mapped files and not loaded. Without the
/// lists no word counts as everyday, and a near word of a lexicon warns.
final class EverydayWords: Sendable {
    private struct File: DataFile {
        static let schema = "tablesight.printLanguages/1"

        struct Language: Decodable {
            var code: String
            var wordLists: [String]
        }
        var languages: [Language]
    }
    private struct Key: Hashable {
        var word, language: String
    }
    private struct Cache {
        var lists: [String: [Data]] = [:]
        var answers: [Key: Bool] = [:]
    }

    /// The cache is cleared at this number of answers.
    private static let maximumAnswers = 20_000
    private let files: [String: [URL]]
    private let cache = Mutex(Cache())

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
        let word = printed.lowercased()
        let key = Key(word: word, language: language)
        return cache.withLock { cache in
            if let known = cache.answers[key] { return known }
            let lists =
                cache.lists[language] ?? files.compactMap { try? Data(contentsOf: $0, options: .alwaysMapped) }
            cache.lists[language] = lists
            let found = lists.contains { list in
                [word, word.prefix(1).uppercased() + word.dropFirst()].contains { Self.contains($0, list) }
            }
            if cache.answers.count >= Self.maximumAnswers { cache.answers.removeAll(keepingCapacity: true) }
            cache.answers[key] = found
            return found
        }
    }

    /// True if a line of the list is the word. In hunspell's lists inflection flags follow a slash. The search is
    /// Horspool's: it skips by the byte below the end of the wanted line.
    private static func contains(_ word: String, _ list: Data) -> Bool {
        let wanted = Array("\n\(word)".utf8)
        let last = wanted.count - 1
        var skips = [Int](repeating: wanted.count, count: 256)
        for (place, byte) in wanted.dropLast().enumerated() { skips[Int(byte)] = last - place }
        return list.withUnsafeBytes { bytes in
            var end = last
            while end < bytes.count {
                let byte = bytes[end]
                if byte == wanted[last], bytes[(end - last)...end].elementsEqual(wanted),
                    end + 1 == bytes.count || [0x09, 0x0A, 0x0D, 0x2F].contains(bytes[end + 1])
                {
                    return true
                }
                end += skips[Int(byte)]
            }
            return false
        }
    }
}
