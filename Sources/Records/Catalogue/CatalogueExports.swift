public import Core
import Foundation

/// Where exports of products are found: `models/catalogue/exports.json`.
public struct CatalogueExports: DataFile, Sendable {
    public static let schema = "tablesight.exports/1"

    public struct Export: Decodable, Sendable {
        /// Source and format, for people.
        public var name: String
        /// Which products it has.
        public var holds: String
        /// The source's page about its exports, `https`.
        public var page: String
        /// Address of the file, `https`; nil if its address changes with each release.
        public var address: String?
        /// Name of the file that is imported; of an archive, the file in it.
        public var file: String
        /// Size of the download in megabytes, rounded. It grows with each release.
        public var megabytes: Int
        /// ``ImportFormat`` that `file` has.
        public var format: String
        public var licence: String

        /// The size of the download in the unit that people read.
        public var size: String {
            megabytes < 1000 ? "\(megabytes) MB" : String(format: "%.3g GB", Double(megabytes) / 1000)
        }
    }

    public var exports: [Export]

    public func validate(name: String) throws(DataFileProblem) {
        for (index, export) in exports.enumerated() {
            let key = "exports[\(index)]"
            for address in [export.page] + (export.address.map { [$0] } ?? []) {
                try DataFileProblem.check(address.hasPrefix("https://"), key, "\(address) is no https address")
            }
            try DataFileProblem.check(
                ImportFormat(rawValue: export.format) != nil
                    && ImportFormat(rawValue: export.format) == ImportFormat(fileName: export.file), key + ".format",
                "\(export.format) is not the format that the name \(export.file) shows")
            try DataFileProblem.check((1...100_000).contains(export.megabytes), key + ".megabytes", "out of range")
        }
    }

    /// - Throws: ``StartupError`` that names the file and the key.
    public init(from models: ModelFolder) throws {
        self = try models.load(Self.self, from: "catalogue/exports.json")
    }
}
