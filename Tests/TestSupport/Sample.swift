import Foundation

/// A photo of `samples/` with what is expected of it.
public struct Sample: Sendable, CustomStringConvertible {
    /// The truth beside the photo; the keys that a domain does not use are nil.
    public struct Expected: Sendable, Decodable {
        public struct Dish: Sendable, Decodable {
            public var name: String
            public var prices: [String]
            public var contains: [String]
        }
        public struct Barcode: Sendable, Decodable {
            public var format: String
            public var text: String
            public var gtin: String?
            public var product: String?
        }
        public struct Piece: Sendable, Decodable {
            public var type: String
            public var polygon_px: [[Double]]
        }
        public struct Game: Sendable, Decodable {
            public var puzzle: String?
            public var kind: String
        }
        public var domains: [String]?
        public var dishes: [Dish]?
        public var contains: [String]?
        public var mayContain: [String]?
        public var barcodes: [Barcode]?
        public var set: String?
        public var pieces: [Piece]?
        public var game: Game?
        public var status: String?
        public var reason: String?
        /// Values of documents by path: `receipt.total`, `nutrition.100g.fat`, `dates.useBy`.
        public var values: [String: String]?
    }

    public let photo: URL
    public let expected: Expected

    public var description: String { photo.lastPathComponent }

    /// All samples of one folder of `samples/`, sorted by name.
    public static func all(in domain: String) throws -> [Sample] {
        let folder = Repository.samples.appending(path: domain)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.filter { !$0.hasSuffix(".json") && !$0.hasSuffix(".md") }.map { name in
            let photo = folder.appending(path: name)
            let truth = photo.deletingPathExtension().appendingPathExtension("expected.json")
            return Sample(
                photo: photo, expected: try JSONDecoder().decode(Expected.self, from: Data(contentsOf: truth)))
        }
    }
}
