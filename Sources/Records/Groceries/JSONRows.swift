import Foundation

/// The elements of a JSON array, one after the other, without a copy of the array in memory. The array is the whole text,
/// or the value of `items` at the beginning of an object, as pages of an API have it.
///
/// Elements are found by their brackets and strings only; whoever decodes one finds out if it is valid.
struct JSONRows: Sequence, IteratorProtocol {
    static let blank: Set<UInt8> = [0x20, 0x09, 0x0D, 0x0A]

    private let bytes: Data
    private var place: Data.Index

    /// Nil if the text is no such array.
    init?(_ data: Data) {
        bytes = data
        var place = data.startIndex
        func skip(_ text: String) -> Bool {
            place = data[place...].firstIndex { !Self.blank.contains($0) } ?? data.endIndex
            guard data[place...].starts(with: text.utf8) else { return false }
            place += text.utf8.count
            return true
        }
        guard skip("[") || skip("{") && skip("\"items\"") && skip(":") && skip("[") else { return nil }
        self.place = place
    }

    mutating func next() -> Data? {
        let separators = Self.blank.union([UInt8(ascii: ",")])
        guard let start = bytes[place...].firstIndex(where: { !separators.contains($0) }),
            bytes[start] != UInt8(ascii: "]")
        else { return nil }
        var (depth, isInText, isEscaped) = (0, false, false)
        for index in start..<bytes.endIndex {
            let byte = bytes[index]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                if depth == 0 {
                    place = index
                    return bytes.subdata(in: start..<index)
                }
                if byte != UInt8(ascii: ",") { depth -= 1 }
            default: break
            }
        }
        place = bytes.endIndex
        return bytes.subdata(in: start..<bytes.endIndex)
    }
}
