import Foundation

/// The scalars of a JSON text, with those that its strings have as `\u` escapes. Of other escapes the letter stays, and
/// bytes that are no text give U+FFFD.
struct JSONScalars: Sequence, IteratorProtocol {
    private var bytes: Data.Iterator
    private var decoder = UTF8()

    init(_ json: Data) { bytes = json.makeIterator() }

    mutating func next() -> Unicode.Scalar? {
        var high: UInt32?
        while let scalar = raw() {
            guard scalar == "\\", let mark = raw() else { return scalar }
            guard mark == "u" else { return mark }
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = raw() else { return nil }
                guard let value = Character(digit).hexDigitValue else { return digit }
                unit = unit << 4 | UInt32(value)
            }
            switch unit {
            case 0xD800..<0xDC00: high = unit
            case 0xDC00..<0xE000:
                return high.flatMap { Unicode.Scalar(0x10000 + ($0 - 0xD800) << 10 + (unit - 0xDC00)) } ?? "\u{FFFD}"
            default: return Unicode.Scalar(unit) ?? "\u{FFFD}"
            }
        }
        return nil
    }

    private mutating func raw() -> Unicode.Scalar? {
        switch decoder.decode(&bytes) {
        case .scalarValue(let scalar): scalar
        case .emptyInput: nil
        case .error: "\u{FFFD}"
        }
    }
}
