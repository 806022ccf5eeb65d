import Foundation

/// The encodings in which spreadsheets save tables: UTF-8, UTF-16 and Windows-1252.
package enum TableText {
    /// The text of bytes that are UTF-8, or else Windows-1252. Damaged UTF-8 stays UTF-8 if more of its letters are whole.
    package static func string(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let text = String(decoding: bytes, as: UTF8.self)
        var (whole, damaged) = (0, 0)
        for letter in text.unicodeScalars {
            if letter == "\u{FFFD}" { damaged += 1 } else if !letter.isASCII { whole += 1 }
        }
        return whole > damaged ? text : String(data: Data(bytes), encoding: .windowsCP1252) ?? text
    }

    /// True for bytes that begin with a mark of UTF-16, or with ASCII letters in two bytes each.
    package static func isUTF16(_ beginning: some Collection<UInt8>) -> Bool {
        let first = Array(beginning.prefix(2))
        return first == [0xFF, 0xFE] || first == [0xFE, 0xFF] || first.contains(0)
    }

    /// UTF-16 as UTF-8 without a mark. The order of the bytes is that of the mark, else that of the first letter.
    package static func utf8(fromUTF16 data: Data) -> Data {
        let bytes = Array(data)
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF]) || bytes.first == 0
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for at in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        let text = String(decoding: units, as: UTF16.self)
        return Data((text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]).utf8)
    }
}
