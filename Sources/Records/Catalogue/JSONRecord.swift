/// Extracts a few fields from one JSON object without decoding the others: a record has hundreds, an import needs
/// twenty.
struct JSONRecord {
    /// A hash table of the wanted keys, built once per file.
    struct Keys {
        /// Indexed by the lowest bits of the hash; most keys of a record hit an empty bucket.
        private let buckets: [[(hash: UInt64, bytes: [UInt8], field: ImportField)]]

        private static let count: UInt64 = 256

        init(_ keys: [(String, ImportField)]) {
            var buckets = [[(hash: UInt64, bytes: [UInt8], field: ImportField)]](
                repeating: [], count: Int(Self.count))
            for (key, field) in keys {
                let bytes = Array(key.utf8)
                let hash = JSONRecord.hash(bytes)
                buckets[Int(hash % Self.count)].append((hash, bytes, field))
            }
            self.buckets = buckets
        }

        func field(hash: UInt64, key: Slice<UnsafeBufferPointer<UInt8>>) -> ImportField? {
            for entry in buckets[Int(hash % Self.count)] where entry.hash == hash {
                if entry.bytes.elementsEqual(key) { return entry.field }
            }
            return nil
        }
    }

    /// FNV-1a, 64 bits.
    fileprivate static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let keys: Keys
    private var at: Int
    private let end: Int
    private var depth = 0
    private(set) var texts = ImportTexts()

    private static let deepest = 64

    /// Nil if the range is not a complete JSON object.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, keys: Keys) {
        self.bytes = bytes
        self.keys = keys
        at = range.lowerBound
        end = range.upperBound
        skipBlanks()
        guard object() else { return nil }
        skipBlanks()
        // Lines of an array end with a comma.
        if at < end, bytes[at] == UInt8(ascii: ",") { at += 1 }
        skipBlanks()
        guard at == end else { return nil }
    }

    private mutating func skipBlanks() {
        while at < end, bytes[at] == 0x20 || bytes[at] == 0x09 || bytes[at] == 0x0D || bytes[at] == 0x0A { at += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < end, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func object() -> Bool {
        guard depth < Self.deepest, take(UInt8(ascii: "{")) else { return false }
        depth += 1
        defer { depth -= 1 }
        skipBlanks()
        if take(UInt8(ascii: "}")) { return true }
        while true {
            skipBlanks()
            guard let key = string() else { return false }
            let field = depth <= 2 ? keys.field(hash: Self.hash(bytes[key.range]), key: bytes[key.range]) : nil
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { return false }
            skipBlanks()
            guard value(for: field) else { return false }
            skipBlanks()
            if take(UInt8(ascii: ",")) { continue }
            return take(UInt8(ascii: "}"))
        }
    }

    private mutating func array(for field: ImportField?) -> Bool {
        guard depth < Self.deepest, take(UInt8(ascii: "[")) else { return false }
        depth += 1
        defer { depth -= 1 }
        skipBlanks()
        if take(UInt8(ascii: "]")) { return true }
        var words: [String] = []
        while true {
            skipBlanks()
            if let field, at < end, bytes[at] == UInt8(ascii: "\"") {
                guard let word = string() else { return false }
                words.append(text(word))
                _ = field
            } else {
                guard value(for: nil) else { return false }
            }
            skipBlanks()
            if take(UInt8(ascii: ",")) { continue }
            if let field, !words.isEmpty { keep(words.joined(separator: ","), field) }
            return take(UInt8(ascii: "]"))
        }
    }

    private mutating func value(for field: ImportField?) -> Bool {
        guard at < end else { return false }
        switch bytes[at] {
        case UInt8(ascii: "\""):
            guard let word = string() else { return false }
            if let field { keep(text(word), field) }
            return true
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array(for: field)
        default:
            let begin = at
            while at < end, Self.isPlain(bytes[at]) { at += 1 }
            guard at > begin else { return false }
            // For an unwanted value the first byte is enough: it is a number, null, true or false.
            guard let field else {
                return bytes[begin] == UInt8(ascii: "-") || Self.digits.contains(bytes[begin])
                    || [UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f")].contains(bytes[begin])
            }
            let word = String(decoding: bytes[begin..<at], as: UTF8.self)
            if word == "null" || word == "true" || word == "false" { return true }
            guard Double(word) != nil else { return false }
            keep(word, field)
            return true
        }
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// True for a byte of a number, or of null, true or false.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private mutating func keep(_ text: String, _ field: ImportField) {
        if texts[field]?.isEmpty ?? true { texts[field] = text }
    }

    /// The bytes between the quotes, and true if any of them is escaped.
    private mutating func string() -> (range: Range<Int>, isEscaped: Bool)? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let begin = at
        var isEscaped = false
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return (begin..<(at - 1), isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                at += 2
            default: at += 1
            }
        }
        return nil
    }

    private func text(_ word: (range: Range<Int>, isEscaped: Bool)) -> String {
        let raw = bytes[word.range]
        guard word.isEscaped else { return String(decoding: raw, as: UTF8.self) }
        return Self.unescaped(raw)
    }

    private static func unescaped(_ raw: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        var units: [UInt16] = []
        var text = ""
        func flush() {
            if !units.isEmpty { text += String(decoding: units, as: UTF16.self) }
            units = []
        }
        var plain: [UInt8] = []
        func flushPlain() {
            if !plain.isEmpty { text += String(decoding: plain, as: UTF8.self) }
            plain = []
        }
        var index = raw.startIndex
        while index < raw.endIndex {
            guard raw[index] == UInt8(ascii: "\\"), index + 1 < raw.endIndex else {
                flush()
                plain.append(raw[index])
                index += 1
                continue
            }
            let escape = raw[index + 1]
            index += 2
            if escape == UInt8(ascii: "u"), index + 4 <= raw.endIndex,
                let unit = UInt16(String(decoding: raw[index..<(index + 4)], as: UTF8.self), radix: 16)
            {
                flushPlain()
                units.append(unit)
                index += 4
                continue
            }
            flush()
            switch escape {
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): plain.append(0x20)
            case UInt8(ascii: "b"), UInt8(ascii: "f"): break
            default: plain.append(escape)
            }
        }
        flush()
        flushPlain()
        return text
    }
}
