import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole body. The connection gives it its deadline.
    ///
    /// - Throws: ``Problem`` 413 for more bytes, 408 for a body that is too slow, 400 for one that ends too early.
    public func bytes(upTo most: Int) async throws -> Data {
        do { return Data(try await body.collect(upTo: most).readableBytesView) } catch let problem as Problem {
            throw problem
        } catch is NIOTooManyBytesError {
            throw Problem(413, "tooLarge", "the body is too large", limitBytes: most)
        } catch { throw Problem(400, "badRequest", "the body ends too early: send it again") }
    }
}

extension Request {
    /// The first file of a form, `multipart/form-data`.
    ///
    /// - Throws: ``Problem`` 400 without a file, 413 above the limit.
    public func file(upTo most: Int) async throws -> Data {
        guard var reader = MultipartReader(contentType: headers[.contentType] ?? "") else {
            throw Problem(400, "badRequest", "Content-Type must be multipart/form-data with a boundary")
        }
        var file = Data()
        var (isFile, hasFile) = (false, false)
        for try await chunk in body {
            for event in try reader.read(chunk.readableBytesView) {
                switch event {
                case .part(_, let name):
                    isFile = !hasFile && name?.isEmpty == false
                case .data(let bytes):
                    guard isFile else { continue }
                    hasFile = true
                    guard file.count + bytes.count <= most else {
                        throw Problem(413, "tooLarge", "the file is too large", limitBytes: most)
                    }
                    file.append(contentsOf: bytes)
                case .endOfPart: isFile = false
                }
            }
        }
        guard hasFile else { throw Problem(400, "badRequest", "the form has no file: choose one") }
        return file
    }
}
