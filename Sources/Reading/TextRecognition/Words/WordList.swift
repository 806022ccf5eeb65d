import Foundation

/// The words of a language from the system's word lists, stored as hashes: 3 MB for 350,000 words.
///
/// A hash collision, one in fifty million million, makes an unknown word count as known.
struct WordList: Sendable {
    /// By their first 16 bits, which takes two passes where sorting takes twenty.
    private let hashes: [UInt64]
    /// Where the hashes with these first 16 bits begin; the last element is the end.
    private let starts: [Int]

    private init(hashes: [UInt64]) {
        var starts = [Int](repeating: 0, count: (1 << 16) + 1)
        for hash in hashes { starts[Int(hash >> 48) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var (ends, grouped) = (starts, hashes)
        for hash in hashes {
            grouped[ends[Int(hash >> 48)]] = hash
            ends[Int(hash >> 48)] += 1
        }
        (self.hashes, self.starts) = (grouped, starts)
    }

    /// Words of text files with one word per line, or of hunspell dictionaries (`.dic`). Missing files are ignored.
    init(files: [URL]) {
        var hashes: [UInt64] = []
        for file in files {
            guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { continue }
            // Hunspell appends inflection flags after a slash; only the stem is used.
            let isHunspell = file.pathExtension == "dic"
            data.withUnsafeBytes { Self.append($0, isHunspell: isHunspell, to: &hashes) }
        }
        self.init(hashes: hashes)
    }

    /// One pass over the bytes: the largest list has four million words.
    private static func append(_ bytes: UnsafeRawBufferPointer, isHunspell: Bool, to hashes: inout [UInt64]) {
        var hash = WordHash()
        var (isEmpty, isPastStem) = (true, false)
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isEmpty { hashes.append(hash.value) }
                hash = WordHash()
                (isEmpty, isPastStem) = (true, false)
            } else if !isPastStem {
                isPastStem = isHunspell && (byte == UInt8(ascii: "/") || byte == 0x09 || byte == 0x0D)
                if !isPastStem {
                    hash.add(byte)
                    isEmpty = false
                }
            }
        }
        if !isEmpty { hashes.append(hash.value) }
    }

    init(_ words: [String]) { self.init(hashes: words.map { Self.hash(Array($0.utf8)) }) }

    var isEmpty: Bool { hashes.isEmpty }

    /// True for a word of the list, ignoring case.
    func contains(_ word: String) -> Bool {
        let hash = Self.hash(Array(word.utf8))
        let group = Int(hash >> 48)
        return hashes[starts[group]..<starts[group + 1]].contains(hash)
    }

    private static func hash(_ word: [UInt8]) -> UInt64 {
        var hash = WordHash()
        for byte in word { hash.add(byte) }
        return hash.value
    }
}

/// FNV-1a (64 bit) of a word in lower case. It folds ASCII and the Latin letters that UTF-8 encodes in two bytes, such as Ś, Ł and
/// Ő.
private struct WordHash {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    /// The first byte of a letter whose second one is awaited; 0 for none.
    private var lead: UInt8 = 0

    /// The hash of the bytes so far.
    var value: UInt64 { lead == 0 ? hash : Self.mixed(hash, lead) }

    @inline(__always)
    mutating func add(_ byte: UInt8) {
        if lead != 0 {
            let small = Self.lowered(UInt32(lead & 0x1F) << 6 | UInt32(byte & 0x3F))
            hash = Self.mixed(Self.mixed(hash, 0xC0 | UInt8(small >> 6)), 0x80 | UInt8(small & 0x3F))
            lead = 0
        } else if (0xC3...0xC8).contains(byte) {
            lead = byte
        } else {
            hash = Self.mixed(hash, (0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
        }
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }

    /// The lower-case form of a scalar from U+00C0 to U+023F; other scalars are returned unchanged.
    private static func lowered(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0xC0...0xD6, 0xD8...0xDE: scalar + 0x20
        case 0x178: 0xFF
        // In these ranges capitals are even …
        case 0x100...0x12F, 0x132...0x137, 0x14A...0x177, 0x1DE...0x1EF, 0x1F8...0x21F, 0x222...0x233: scalar | 1
        // … and in these they are odd.
        case 0x139...0x148, 0x179...0x17E, 0x1CD...0x1DC: scalar & 1 == 1 ? scalar + 1 : scalar
        default: scalar
        }
    }
}

/// The word lists of languages, each loaded on first use.
final class WordLists {
    private let folder: URL
    private var lists: [String: WordList] = [:]

    /// Folder of the system's word lists.
    static let usualFolder = URL(filePath: "/usr/share/dict")

    /// - Parameter folder: Folder of the system's word lists.
    init(folder: URL = WordLists.usualFolder) { self.folder = folder }

    /// Missing word lists of this language.
    static func missing(of language: PrintLanguage, in folder: URL = WordLists.usualFolder) -> [String] {
        language.wordLists.filter { !FileManager.default.isReadableFile(atPath: folder.appending(path: $0).path) }
    }

    subscript(language: PrintLanguage) -> WordList {
        if let list = lists[language.code] { return list }
        let list = WordList(files: language.wordLists.map { folder.appending(path: $0) })
        lists[language.code] = list
        return list
    }
}
