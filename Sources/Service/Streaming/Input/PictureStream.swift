import Foundation
import Core

/// Splits a byte stream into pictures: JPEG, PNG and PNM (P5, P6), as `ffmpeg -f image2pipe` writes them.
package struct PictureStream {
    /// The bytes of one complete picture.
    package struct Picture: Sendable, Hashable {
        package var data: Data
        /// `jpg`, `png` or `ppm`.
        package var fileExtension: String
        /// Nanoseconds since the first picture, from a PNM comment `t_ns=`; nil without one.
        package var time: Int?
    }

    /// Maximum bytes of a picture.
    private static let longest = 256 << 20

    private let read: () throws -> Data
    private var buffer = Data()
    private var isAtEnd = false

    /// - Parameters:
    ///   - beginning: bytes that were already read.
    ///   - read: returns the next available bytes; empty at the end.
    package init(beginning: Data = Data(), read: @escaping () throws -> Data) {
        buffer = beginning
        self.read = read
    }

    /// The next picture; nil at the end.
    ///
    /// - Throws: ``StartupError`` (65) if the bytes are not a picture, or the last one is incomplete.
    package mutating func next() throws -> Picture? {
        var needed = 4
        while true {
            while buffer.count < needed, !isAtEnd {
                let fresh = try read()
                if fresh.isEmpty { isAtEnd = true } else { buffer.append(fresh) }
            }
            if buffer.isEmpty { return nil }
            guard let kind = Kind(buffer) else {
                throw StartupError(
                    .badInput, "standard input is not JPEG, PNG or PNM: pipe in pictures or recorded frames")
            }
            switch kind.length(of: buffer) {
            case .whole(let count):
                let data = Data(buffer.prefix(count))
                buffer = Data(buffer.dropFirst(count))
                return Picture(data: data, fileExtension: kind.rawValue, time: kind == .ppm ? Self.time(in: data) : nil)
            case .more(let least):
                guard !isAtEnd, buffer.count < Self.longest else {
                    throw StartupError(
                        .badInput, "the last picture of the stream is incomplete: end it after a complete picture")
                }
                needed = max(least, buffer.count + 1)
            case .broken:
                throw StartupError(.badInput, "a picture of the stream is damaged: record the stream again")
            }
        }
    }

    private static func time(in data: Data) -> Int? {
        let head = String(decoding: data.prefix(80), as: UTF8.self)
        guard let mark = head.range(of: "t_ns=") else { return nil }
        return Int(head[mark.upperBound...].prefix { $0.isNumber })
    }

    private enum Length {
        case whole(Int)
        /// At least this many bytes are needed.
        case more(Int)
        case broken
    }

    private enum Kind: String {
        case jpg, png, ppm

        init?(_ data: Data) {
            let bytes = [UInt8](data.prefix(4))
            if bytes.starts(with: [0xFF, 0xD8]) {
                self = .jpg
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                self = .png
            } else if bytes.starts(with: [0x50, 0x36]) || bytes.starts(with: [0x50, 0x35]) {
                self = .ppm
            } else {
                return nil
            }
        }

        func length(of data: Data) -> Length {
            data.withUnsafeBytes { bytes in
                switch self {
                case .jpg: Self.jpeg(bytes)
                case .png: Self.png(bytes)
                case .ppm: Self.pnm(bytes)
                }
            }
        }

        /// Walks the segments up to the end of image; a thumbnail's own end lies within a segment and is skipped.
        private static func jpeg(_ bytes: UnsafeRawBufferPointer) -> Length {
            var at = 2
            while at + 4 <= bytes.count {
                guard bytes[at] == 0xFF else { return .broken }
                let marker = bytes[at + 1]
                if marker == 0xD9 { return .whole(at + 2) }
                if marker == 0xFF {
                    at += 1
                    continue
                }
                if (0xD0...0xD7).contains(marker) || marker == 0x01 {
                    at += 2
                    continue
                }
                at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
                guard marker == 0xDA else { continue }
                // In coded data, 0xFF is followed by 0 or a restart marker until the next segment.
                while at + 1 < bytes.count {
                    if bytes[at] == 0xFF, bytes[at + 1] != 0, !(0xD0...0xD7).contains(bytes[at + 1]) { break }
                    at += 1
                }
                if at + 1 < bytes.count, bytes[at + 1] == 0xD9 { return .whole(at + 2) }
            }
            return .more(at + 4)
        }

        private static func png(_ bytes: UnsafeRawBufferPointer) -> Length {
            var at = 8
            while at + 12 <= bytes.count {
                let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
                let isLast = (0..<4).map { bytes[at + 4 + $0] } == [0x49, 0x45, 0x4E, 0x44]
                at += 12 + length
                if isLast { return at <= bytes.count ? .whole(at) : .more(at) }
            }
            return .more(at + 12)
        }

        /// Parses width, height and maximum value, with white space and comments between them; then the samples follow.
        private static func pnm(_ bytes: UnsafeRawBufferPointer) -> Length {
            var numbers: [Int] = []
            var at = 2
            while numbers.count < 3 {
                while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D, 0x23].contains(bytes[at]) {
                    if bytes[at] == 0x23 { while at < bytes.count, bytes[at] != 0x0A { at += 1 } } else { at += 1 }
                }
                var number: Int?
                while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
                    number = min(1 << 24, (number ?? 0) * 10 + Int(bytes[at] - 0x30))
                    at += 1
                }
                guard at < bytes.count else { return .more(at + 1) }
                guard let number else { return .broken }
                numbers.append(number)
            }
            let samples = bytes[1] == 0x36 ? 3 : 1
            let size = numbers[0] * numbers[1] * samples * (numbers[2] > 255 ? 2 : 1)
            guard size > 0, size < PictureStream.longest else { return .broken }
            return at + 1 + size <= bytes.count ? .whole(at + 1 + size) : .more(at + 1 + size)
        }
    }
}
