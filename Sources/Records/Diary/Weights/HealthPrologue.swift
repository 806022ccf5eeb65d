/// The beginning of an Apple Health export, before its first element.
///
/// Apple declares the document type in the file itself, and in exports of iOS 16 that declaration is not well-formed. The
/// import needs nothing of it, so it never reaches the parser.
enum HealthPrologue {
    /// Replaces the document type declaration by spaces; lines keep their numbers.
    ///
    /// - Parameter bytes: the first part of the file.
    /// - Throws: ``DiaryProblem`` for entities, external declarations, and a declaration that does not end.
    static func withoutType(_ bytes: [UInt8]) throws(DiaryProblem) -> [UInt8] {
        // A name begins the first element; `<?` and `<!` stand before it.
        let end = firstElement(in: bytes) ?? bytes.endIndex
        guard let start = find("<!DOCTYPE", in: bytes[..<end]) else { return bytes }
        func line(_ index: Int) -> Int { bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1 }
        // After the name stands the declaration itself, in brackets. SYSTEM and PUBLIC name another file.
        var index = start + 9
        while index < bytes.endIndex, ![UInt8(ascii: "["), UInt8(ascii: ">")].contains(bytes[index]) { index += 1 }
        for keyword in ["SYSTEM", "PUBLIC"] where find(keyword, in: bytes[start..<index]) != nil {
            throw .badFile("line \(line(start)): the document type refers to another file; the import opens none")
        }
        guard index < bytes.endIndex else { throw endless }
        if bytes[index] == UInt8(ascii: "[") {
            guard let close = closing(in: bytes[(index + 1)...]) else {
                // Of an attack with a long declaration the entities are the better reason.
                if let entity = find("<!ENTITY", in: bytes[index...]) { throw entities(line(entity)) }
                throw endless
            }
            if let entity = find("<!ENTITY", in: bytes[index..<close]) { throw entities(line(entity)) }
            index = close
        }
        var blank = bytes
        for place in start...index where ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(blank[place]) {
            blank[place] = UInt8(ascii: " ")
        }
        return blank
    }

    private static let endless = DiaryProblem.badFile(
        "the document type declaration does not end within \(ImportSource.partBytes >> 10) KiB: "
            + "export the file again")

    private static func entities(_ line: Int) -> DiaryProblem {
        DiaryProblem.badFile("line \(line): the file declares entities, which an Apple Health export does not")
    }

    /// The place of the `>` after the first `]` that is in no comment.
    private static func closing(in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index...].starts(with: "<!--".utf8) {
                guard let end = find("-->", in: bytes[index...]) else { return nil }
                index = end + 3
            } else if bytes[index] == UInt8(ascii: "]") {
                var next = index + 1
                while next < bytes.endIndex, " \t\r\n".utf8.contains(bytes[next]) { next += 1 }
                if next < bytes.endIndex, bytes[next] == UInt8(ascii: ">") { return next }
                index += 1
            } else {
                index += 1
            }
        }
        return nil
    }

    /// The place of the first `<` that neither `!` nor `?` follows.
    private static func firstElement(in bytes: [UInt8]) -> Int? {
        zip(bytes, bytes.dropFirst()).enumerated().first { _, pair in
            pair.0 == UInt8(ascii: "<") && pair.1 != UInt8(ascii: "!") && pair.1 != UInt8(ascii: "?")
        }?.offset
    }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        return bytes.indices.first { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
    }
}
