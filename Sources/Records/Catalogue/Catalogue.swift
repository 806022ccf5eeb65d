import Foundation
import GRDB
import Core

/// Imported products of all sources. Each source has one file, which is reopened after an import replaced it.
public final class Catalogue: Sendable {
    /// The folder of the files.
    public let folder: URL
    private let files: [String: CatalogueFile]
    /// Cached answers of servers about products that no import has.
    let cache: RemoteCache

    /// Sources, most trusted first.
    static let sources = ["usda", "off"]

    public init(folder: URL) {
        self.folder = folder
        files = Dictionary(
            uniqueKeysWithValues: Self.sources.map {
                ($0, CatalogueFile(path: folder.appending(path: "\($0).sqlite").path, source: $0))
            })
        cache = RemoteCache(path: folder.appending(path: "remote.sqlite").path)
    }

    /// `TABLESIGHT_CATALOGUE`, or else `~/.local/share/tablesight/catalogue` (following XDG_DATA_HOME).
    public static func usualFolder(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let named = environment["TABLESIGHT_CATALOGUE"] { return URL(filePath: named) }
        let data =
            environment["XDG_DATA_HOME"].map { URL(filePath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
        return data.appending(path: "tablesight/catalogue")
    }

    /// The record of the most trusted source, or else a cached answer of a server, or nil.
    /// - Throws: ``StartupError`` if a file is damaged.
    public func product(_ gtin: GTIN) throws -> CatalogueProduct? {
        if let imported = try importedProduct(gtin) { return imported }
        // The cache is optional, so a damaged one counts as empty.
        return (try? cache.entry(gtin))??.product
    }

    /// The imported record with this number, or nil.
    /// - Throws: ``StartupError`` if a file is damaged.
    public func importedProduct(_ gtin: GTIN) throws -> CatalogueProduct? {
        try inOrder.compactMap { try $0.product(gtin.number) }.max { $0.trust.rank < $1.trust.rank }
    }

    /// Version of the cached answers, as in outcomes; nil if there are none.
    public var remoteVersion: String? { cache.version }

    /// Products whose name or brand has these words, also if misspelt; verified products first.
    ///
    /// - Parameter isUnfinished: true if the person may still type the final word.
    public func search(_ text: String, limit: Int = 20, isUnfinished: Bool = false) throws -> [SearchHit] {
        try Array(
            inOrder.flatMap { try $0.search(text, limit: limit, isUnfinished: isUnfinished) }
                .sorted { ($0.isVerified ? 0 : 1, -$0.score) < ($1.isVerified ? 0 : 1, -$1.score) }
                .prefix(limit))
    }

    /// Contents of each imported file.
    public func contents() throws -> [CatalogueContents] { try inOrder.compactMap { try $0.contents() } }

    /// Sources and their imports, without counting products, so that every start can use it.
    public func imported() throws -> [(source: String, state: ImportState)] {
        try inOrder.compactMap { file in try file.state().map { (file.source, $0) } }
    }

    /// Errors in the files; empty if there are none.
    public func faults() throws -> [String] { try inOrder.flatMap { try $0.faults() } }

    private var inOrder: [CatalogueFile] { Self.sources.compactMap { files[$0] } }
}

/// One product of a search.
public struct SearchHit: Sendable {
    public var product: CatalogueProduct
    /// 0…1: share of the words that match, reduced for misspellings and for other words in the name.
    public var score: Double
    public var isVerified: Bool { product.trust != .crowd }
}

/// Contents of one file.
public struct CatalogueContents: Sendable {
    public var source: String
    public var products: Int
    public var verified: Int
    public var bytes: Int
    public var state: ImportState
}
