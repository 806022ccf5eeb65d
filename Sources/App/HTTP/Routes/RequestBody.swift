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
