import Foundation
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
