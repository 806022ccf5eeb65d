import Foundation

/// The weights of the networks that read text in `models/fetched`.
///
/// Readings differ slightly between weights, so caches, queues and outcomes name them.
public enum NetworkWeights: Sendable, Hashable, CustomStringConvertible {
    /// The original networks, in floating point.
    case full
    /// Variants with 7-bit weights, or 8-bit weights for processors with VNNI.
    case quantised(bits: Int)
    /// The networks are not installed.
    case none

    /// Reads the record of the variants that `scripts/fetch-models` made.
    public init(models: ModelFolder) {
        struct Record: Decodable { var weightBits: Int }
        let folder = models.url.appending(path: "fetched")
        func isPresent(_ file: String) -> Bool {
            FileManager.default.isReadableFile(atPath: folder.appending(path: file).path)
        }
        if isPresent("det_small.int8.onnx"),
            let data = try? Data(contentsOf: folder.appending(path: "variants.json")),
            let record = try? JSONCoding.decode(Record.self, from: data)
        {
            self = .quantised(bits: record.weightBits)
        } else {
            self = isPresent("det_small.onnx") ? .full : .none
        }
    }

    /// Such as "8-bit weights".
    public var description: String {
        switch self {
        case .full: "32-bit weights"
        case .quantised(let bits): "\(bits)-bit weights"
        case .none: "not installed"
        }
    }
}
