import Core
import Foundation

/// Where exports of products are found: `models/catalogue/exports.json`.
package struct CatalogueExports: DataFile, Sendable {
    package static let schema = "tablesight.exports/1"

    package struct Export: Decodable, Sendable {
        /// Source and format, for people.
        package var name: String
        /// Which products it has.
        package var holds: String
        /// The source's page about its exports, `https`.
        package var page: String
        /// Address of the file, `https`; nil if its address changes with each release.
        package var address: String?
        /// Name of the file that is imported; of an archive, the file in it.
        package var file: String
        /// Size of the download in megabytes, rounded. It grows with each release.
        package var megabytes: Int
        /// ``ImportFormat`` that `file` has.
        package var format: String
        package var licence: String

        /// The size of the download in the unit that people read.
        package var size: String {
            megabytes < 1000 ? "\(megabytes) MB" : String(format: "%.3g GB", Double(megabytes) / 1000)
        }
    }

    package var exports: [Export]

    package func validate(name: String) throws(DataFileProblem) {
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

    package init(from models: ModelFolder) throws {
        self = try models.load(Self.self, from: "catalogue/exports.json")
    }
}
