internal import COnnxRuntime
import Foundation
import Core

/// One network that ONNX Runtime runs on one thread, loaded once and kept.
///
/// Owned by one worker, used by one thread at a time.
final class NeuralNetwork {
    private let session: OpaquePointer
    private let file: String

    /// Opens ONNX Runtime at `library` (once a process) and loads the network of an ONNX file.
    ///
    /// Throws `StartupError` (unavailable) where either cannot be done.
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

    /// Version of ONNX Runtime; nil before a network was loaded.
    static var runtimeVersion: String? { tort_version().map { String(cString: $0) } }

    /// Runs the network on `input`, whose four sizes are `shape` (row-major), and hands its output to `body`: the values
    /// and their sizes, both valid only inside.
    ///
    /// Throws `ItemFailure` where ONNX Runtime refuses.
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
