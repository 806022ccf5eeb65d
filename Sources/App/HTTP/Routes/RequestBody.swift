import Core
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole body. The connection gives it its deadline.
    ///
    /// - Throws: ``Problem`` 413 for more bytes, 408 for a body that is too slow, 400 for one that ends too early.
    package func bytes(upTo most: Int) async throws -> Data {
        do { return Data(try await body.collect(upTo: most).readableBytesView) } catch let problem as Problem {
            throw problem
        } catch is NIOTooManyBytesError {
            throw Problem(413, "tooLarge", "the body is too large", limitBytes: most)
        } catch { throw Problem(400, "badRequest", "the body ends too early: send it again") }
    }
}

extension Request {
    /// The length that the client announced; 0 if unknown.
    package var announcedBytes: Int { max(0, headers[.contentLength].flatMap { Int($0) } ?? 0) }

    /// Passes on the whole body in parts, without keeping it.
    ///
    /// - Throws: as ``bytes(upTo:)``, and what `take` throws.
    package func eachPart(upTo most: Int, _ take: ([UInt8]) async throws -> Void) async throws {
        let tooLarge = Problem(413, "tooLarge", "the body is too large", limitBytes: most)
        guard announcedBytes <= most else { throw tooLarge }
        var count = 0
        var parts = body.makeAsyncIterator()
        while true {
            let part: ByteBuffer?
            do { part = try await parts.next() } catch let problem as Problem { throw problem } catch {
                throw Problem(400, "badRequest", "the body ends too early: send it again")
            }
            guard let part else { return }
            count += part.readableBytes
            guard count <= most else { throw tooLarge }
            try await take(Array(part.readableBytesView))
        }
    }

    /// The first file of a form, `multipart/form-data`.
    ///
    /// - Throws: ``Problem`` 400 without a file, 413 above the limit.
    package func file(upTo most: Int) async throws -> Data {
        var file = Data()
        try await eachPartOfFile(upTo: most) { file.append(contentsOf: $0) }
        return file
    }

    /// Passes on the first file of a form, `multipart/form-data`, in parts, without keeping it.
    ///
    /// - Throws: ``Problem`` 400 without a file, 413 above the limit, and what `take` throws.
    package func eachPartOfFile(upTo most: Int, _ take: ([UInt8]) async throws -> Void) async throws {
        guard var reader = MultipartReader(contentType: headers[.contentType] ?? "") else {
            throw Problem(400, "badRequest", "Content-Type must be multipart/form-data with a boundary")
        }
        let tooLarge = Problem(413, "tooLarge", "the file is too large", limitBytes: most)
        // Other fields of the form take little.
        guard announcedBytes <= most + (64 << 10) else { throw tooLarge }
        var (isFile, hasFile, count) = (false, false, 0)
        for try await chunk in body {
            for event in try reader.read(chunk.readableBytesView) {
                switch event {
                case .part(_, let name):
                    isFile = !hasFile && name?.isEmpty == false
                case .data(let bytes):
                    guard isFile else { continue }
                    hasFile = true
                    count += bytes.count
                    guard count <= most else { throw tooLarge }
                    try await take(bytes)
                case .endOfPart: isFile = false
                }
            }
        }
        guard hasFile else { throw Problem(400, "badRequest", "the form has no file: choose one") }
    }
}

/// The fields of a form, `application/x-www-form-urlencoded`, as stream-safe text. The first value of a repeated field
/// counts.
package struct FormBody: Sendable {
    private let fields: [String: String]

    private static let (mostBytes, mostFields) = (64 << 10, 1000)

    /// - Throws: `Problem` 413 for a body that is too long, 408 for one that is too slow.
    package init(_ request: Request) async throws {
        self.init(encoded: String(decoding: try await request.bytes(upTo: Self.mostBytes), as: UTF8.self))
    }

    /// The fields of the part of an address after the question mark.
    package init(queryOf request: Request) { self.init(encoded: request.uri.query.map { String($0) } ?? "") }

    package init(encoded: String) {
        var fields: [String: String] = [:]
        for pair in encoded.split(separator: "&").prefix(Self.mostFields) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func text(_ part: Substring) -> String {
                (part.replacing("+", with: " ").removingPercentEncoding ?? "").streamSafe
            }
            let name = text(parts[0])
            if fields[name] == nil { fields[name] = parts.count > 1 ? text(parts[1]) : "" }
        }
        self.fields = fields
    }

    /// A number that a person typed, with a point or a comma; nil for an empty field.
    ///
    /// - Throws: `Problem` (400) for other text.
    package func decimal(_ name: String) throws -> Decimal? {
        let text = self[name].replacing(",", with: ".")
        guard !text.isEmpty else { return nil }
        guard text.wholeMatch(of: /[0-9]{1,6}(\.[0-9]{1,6})?/) != nil, let value = Decimal(digits: text) else {
            throw Problem(400, "badRequest", "“\(self[name].prefix(20))” is not a number of 0 or more")
        }
        return value
    }

    /// True if the form has the field, be it empty.
    package func has(_ name: String) -> Bool { fields[name] != nil }

    /// Empty if the form has no such field.
    package subscript(_ name: String) -> String { fields[name]?.trimmingCharacters(in: .whitespaces) ?? "" }

    /// A field as it was typed, blanks included: a password may begin with one.
    package func exact(_ name: String) -> String { fields[name] ?? "" }

    /// The fields whose names begin with `prefix`, without it; empty values are left out.
    package func all(_ prefix: String) -> [String: String] {
        Dictionary(
            fields.filter { $0.key.hasPrefix(prefix) && !$0.value.isEmpty }.map {
                (String($0.key.dropFirst(prefix.count)), $0.value)
            }, uniquingKeysWith: { first, _ in first })
    }
}
