import Foundation

/// The words of a language, from the system's word lists, as a sorted list of hashes: 3 MB for 350,000 words.
///
/// Two words may share a hash (one in fifty million million): a word is then taken for known that is not.
struct WordList: Sendable {
    private let hashes: [UInt64]

    /// Words of text files with one word a line; files that are not there are passed over.
    init(files: [URL]) {
        var hashes: [UInt64] = []
        for file in files {
            guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { continue }
            data.withUnsafeBytes { bytes in
                for line in bytes.split(separator: UInt8(ascii: "\n")) where !line.isEmpty {
                    hashes.append(Self.hash(line))
                }
            }
        }
        hashes.sort()
        self.hashes = hashes
    }

    init(_ words: [String]) { hashes = words.map { Self.hash(Array($0.utf8)) }.sorted() }

    var isEmpty: Bool { hashes.isEmpty }

    /// True for a word of the list, capitals and small letters being equal.
    func contains(_ word: String) -> Bool {
        let hash = Self.hash(Array(word.utf8))
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < hashes.count && hashes[low] == hash
    }

    /// FNV-1a (64 bit) of the word in small letters: those of ASCII and of Latin-1 (À–Þ in UTF-8 is C3 80–9E).
    private static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var before: UInt8 = 0
        for byte in word {
            var byte = byte
            if (0x41...0x5A).contains(byte) || before == 0xC3 && (0x80...0x9E).contains(byte) && byte != 0x97 {
                byte += 0x20
            }
            before = byte
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return hash
    }
}

/// The word lists of the languages that were met, loaded when first needed.
final class WordLists {
    private let folder: URL
    private var lists: [String: WordList] = [:]

    /// - Parameter folder: where the system keeps its word lists.
    init(folder: URL = URL(filePath: "/usr/share/dict")) { self.folder = folder }

    subscript(language: PrintLanguage) -> WordList {
        if let list = lists[language.code] { return list }
        let list = WordList(files: language.wordLists.map { folder.appending(path: $0) })
        lists[language.code] = list
        return list
    }
}
