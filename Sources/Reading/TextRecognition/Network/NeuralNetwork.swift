internal import COnnxRuntime
import Foundation
import Core

/// A network that ONNX Runtime runs on one thread. It is loaded once and kept.
///
/// One worker owns it and uses it from one thread at a time.
final class NeuralNetwork {
    private let session: OpaquePointer
    private let file: String

    /// Opens ONNX Runtime at `library` (once per process) and loads the network of an ONNX file.
    ///
    /// - Throws: `StartupError` (unavailable) if either fails.
    init(file: URL, library: URL) throws {
        var message = [CChar](repeating: 0, count: 512)
        guard tort_open(library.path, &message, message.count) == TORT_OK else {
            throw StartupError(
                .unavailable,
                "ONNX Runtime cannot be opened at \(library.path): \(Self.text(message)). Run scripts/fetch-models.")
        }
        var session: OpaquePointer?
        guard tort_session_make(file.path, &session, &message, message.count) == TORT_OK, let session else {
            throw StartupError(
                .unavailable,
                "the network \(file.path) cannot be loaded: \(Self.text(message)). Run scripts/fetch-models.")
        }
        self.session = session
        self.file = file.lastPathComponent
    }

    deinit { tort_session_free(session) }

    /// Version of ONNX Runtime; nil before a network is loaded.
    static var runtimeVersion: String? { tort_version().map { String(cString: $0) } }

    /// Runs the network on `input`, whose four dimensions are `shape` (row-major), and passes the output to `body`:
    /// the values and their dimensions. Both are valid only inside `body`.
    ///
    /// - Throws: `ItemFailure` if ONNX Runtime fails.
    func run<Result>(
        _ input: [Float], shape: [Int64], _ body: (UnsafeBufferPointer<Float>, [Int]) throws -> Result
    ) throws -> Result {
        var message = [CChar](repeating: 0, count: 512)
        var values: UnsafePointer<Float>?
        var sizes: UnsafePointer<Int64>?
        var rank = 0
        let status = input.withUnsafeBufferPointer {
            tort_session_run(session, $0.baseAddress, shape, &values, &sizes, &rank, &message, message.count)
        }
        guard status == TORT_OK, let values, let sizes else {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "\(file) gave up: \(Self.text(message))",
                hint: "Run `tablesight doctor`; scripts/fetch-models brings the network again.")
        }
        let dimensions = (0..<rank).map { Int(sizes[$0]) }
        return try body(UnsafeBufferPointer(start: values, count: dimensions.reduce(1, *)), dimensions)
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
