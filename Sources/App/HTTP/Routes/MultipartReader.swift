import Glibc

/// Reads `multipart/form-data` (RFC 7578) from chunks, without keeping the parts in memory.
package struct MultipartReader {
    package enum Event: Equatable {
        /// A part begins. Names are as sent; nil if missing.
        case part(name: String?, fileName: String?)
        case data([UInt8])
        case endOfPart
    }

    /// Maximum bytes of the header of a part, and maximum number of parts.
    static let (mostHeaderBytes, mostParts) = (4096, 32)

    private enum State { case preamble, header, body, epilogue }

    private let delimiter: [UInt8]
    private var pending: [UInt8] = Array("\r\n".utf8)
    private var state = State.preamble
    private var parts = 0

    /// Nil if the header names no valid boundary.
    package init?(contentType: String) {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", in: contentType), (1...70).contains(boundary.utf8.count)
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// True after the last delimiter.
    package var isComplete: Bool { state == .epilogue }

    /// - Throws: ``Problem`` (400) if the bytes are no form data.
    package mutating func read(_ chunk: some Sequence<UInt8>) throws(Problem) -> [Event] {
        pending += chunk
        var events: [Event] = []
        while try advance(&events) {}
        return events
    }

    /// - Returns: false if more bytes are needed.
    private mutating func advance(_ events: inout [Event]) throws(Problem) -> Bool {
        switch state {
        case .epilogue:
            pending = []
            return false
        case .header:
            guard let end = Self.index(of: Array("\r\n\r\n".utf8), in: pending) else {
                guard pending.count <= Self.mostHeaderBytes else { throw Self.broken("a part's header is too long") }
                return false
            }
            guard end <= Self.mostHeaderBytes else { throw Self.broken("a part's header is too long") }
            parts += 1
            guard parts <= Self.mostParts else { throw Self.broken("it has more than \(Self.mostParts) parts") }
            events.append(Self.part(String(decoding: pending[..<end], as: UTF8.self)))
            pending.removeFirst(end + 4)
            // An empty body begins with its delimiter, whose line break would otherwise be missing.
            state = .body
            return true
        case .preamble, .body:
            guard let found = Self.index(of: delimiter, in: pending) else {
                let sure = pending.count - delimiter.count
                guard sure > 0 else { return false }
                if state == .body { events.append(.data(Array(pending[..<sure]))) }
                pending.removeFirst(sure)
                return false
            }
            let after = found + delimiter.count
            guard pending.count >= after + 2 else { return false }
            if state == .body {
                if found > 0 { events.append(.data(Array(pending[..<found]))) }
                events.append(.endOfPart)
            }
            let mark = Array(pending[after..<(after + 2)])
            switch mark {
            case Array("--".utf8): state = .epilogue
            case Array("\r\n".utf8): state = .header
            default: throw Self.broken("its delimiters are wrong")
            }
            pending.removeFirst(after + 2)
            return true
        }
    }

    private static func broken(_ what: String) -> Problem {
        Problem(400, "badRequest", "the form data cannot be read: \(what)")
    }

    private static func part(_ header: String) -> Event {
        let lines = header.split(separator: "\r\n")
        guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }).map(String.init)
        else { return .part(name: nil, fileName: nil) }
        return .part(name: parameter("name", in: line), fileName: parameter("filename", in: line))
    }

    /// The value of `; name=value`, with or without quotes.
    static func parameter(_ name: String, in header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            let key = pair.first.map { $0.drop { $0 == " " } }
            guard pair.count == 2, key?.lowercased() == name else { continue }
            return pair[1].trimmingPrefix("\"").reversed().drop { $0 == " " || $0 == "\"" }.reversed()
                .reduce(into: "") { $0.append($1) }
        }
        return nil
    }

    private static func index(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        return bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var start = 0
            let last = buffer.count - pattern.count
            while start <= last, let hit = memchr(base + start, Int32(first), last - start + 1) {
                let place = UnsafeRawPointer(hit) - base
                if buffer[place..<(place + pattern.count)].elementsEqual(pattern) { return place }
                start = place + 1
            }
            return nil
        }
    }
}
