import Foundation
import GRDB
import Core

/// The imported products of all sources: one file each, opened when it is asked and again when an import replaced it.
public final class Catalogue: Sendable {
    /// Where the files lie.
    public let folder: URL
    private let files: [String: CatalogueFile]
    /// What other servers said of products that no import has.
    let cache: RemoteCache

    /// Sources in the order of their trust.
    static let sources = ["usda", "off"]

    public init(folder: URL) {
        self.folder = folder
        files = Dictionary(
            uniqueKeysWithValues: Self.sources.map {
                ($0, CatalogueFile(path: folder.appending(path: "\($0).sqlite").path, source: $0))
            })
        cache = RemoteCache(path: folder.appending(path: "remote.sqlite").path)
    }

    /// Where `TABLESIGHT_CATALOGUE` says, else `~/.local/share/tablesight/catalogue`, as XDG_DATA_HOME has it.
    public static func usualFolder(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let named = environment["TABLESIGHT_CATALOGUE"] { return URL(filePath: named) }
        let data =
            environment["XDG_DATA_HOME"].map { URL(filePath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
        return data.appending(path: "tablesight/catalogue")
    }

    /// The record of this number whose source is trusted most, else what a server said of it; nil where none has one.
    /// - Throws: ``StartupError`` where a file is damaged.
    public func product(_ gtin: GTIN) throws -> CatalogueProduct? {
        if let imported = try importedProduct(gtin) { return imported }
        // Answers of servers are kept for comfort: a damaged file of them is as none.
        return (try? cache.entry(gtin))??.product
    }

    /// The record of this number among the imported ones.
    /// - Throws: ``StartupError`` where a file is damaged.
    public func importedProduct(_ gtin: GTIN) throws -> CatalogueProduct? {
        guard let number = Int64(gtin.digits) else { return nil }
        return try inOrder.compactMap { try $0.product(number) }.max { $0.trust.rank < $1.trust.rank }
    }

    /// Which answers of servers are kept, as outcomes' versions carry it; nil for none.
    public var remoteVersion: String? { cache.version }

    /// Products whose name or brand holds these words, misspelt ones too; verified ones first.
    public func search(_ text: String, limit: Int = 20) throws -> [SearchHit] {
        try Array(
            inOrder.flatMap { try $0.search(text, limit: limit) }
                .sorted { ($0.isVerified ? 0 : 1, -$0.score) < ($1.isVerified ? 0 : 1, -$1.score) }
                .prefix(limit))
    }

    /// What each imported file holds.
    public func contents() throws -> [CatalogueContents] { try inOrder.compactMap { try $0.contents() } }

    /// What was imported and when, without counting: for every start.
    public func imported() throws -> [(source: String, state: ImportState)] {
        try inOrder.compactMap { file in try file.state().map { (file.source, $0) } }
    }

    /// What is wrong with the files; empty where nothing is.
    public func faults() throws -> [String] { try inOrder.flatMap { try $0.faults() } }

    private var inOrder: [CatalogueFile] { Self.sources.compactMap { files[$0] } }
}

/// One product that a search found.
public struct SearchHit: Sendable {
    public var product: CatalogueProduct
    /// 0…1: how many of the words it has, less what is misspelt and what else its name says.
    public var score: Double
    public var isVerified: Bool { product.trust != .crowd }
}

/// What one file holds.
public struct CatalogueContents: Sendable {
    public var source: String
    public var products: Int
    public var verified: Int
    public var bytes: Int
    public var state: ImportState
}
