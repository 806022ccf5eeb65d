import HTTP
import Household
import Store

// Photos, saved items, news and reviews as the API's description shows them.

extension PathParameter where Value == String {
    /// The id of a photo: `sha256:` and 64 lower-case hexadecimal digits; 404 for anything else.
    package static var photo: Self {
        PathParameter(
            "id", "`sha256:` and the hash of the content.",
            schema: Schema(type: "string", pattern: "^sha256:[0-9a-f]{64}$"), parse: checkedPhoto)
    }

    static func checkedPhoto(_ id: String) throws -> String {
        guard id.hasPrefix("sha256:"), id.utf8.count == 71,
            id.utf8.dropFirst(7).allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw Problem(404, "notFound", "an id is sha256: and 64 hexadecimal digits") }
        return id
    }
}

extension SavedThing: Documented {
    package static var fields: [String: Field] {
        [
            "item": Field("A dish's place on the photo or its name, `label`, a product number, or a game."),
            "title": Field("What it is called now, or when it was saved if the photo no longer shows it."),
            "isRead": Field("False if the photo no longer shows it."),
        ]
    }
}

/// What a person wants to keep.
struct SavedBody: Sendable, Decodable, Documented {
    var photo: String
    var kind: SavedItem.Kind
    var item: String

    var place: SavedItem.Place { .init(photo: photo, kind: kind, item: item) }

    static let example: String? =
        #"{"photo":"sha256:0b1c…","kind":"dish","item":"Mushroom risotto"}"#
    static let fields = [
        "photo": Field("The id of the photo."),
        "item": Field("A dish's name or place, `label`, a product number, or a game.", lengths: 1...500),
    ]
}

struct SavedNumber: Sendable, Codable {
    var number: Int64
}

struct SavedQuery: Sendable, Decodable, Documented {
    var q: String?
    var before: Int64?
    var limit: Int?

    static let usualLimit = 20
    static let fields = [
        "q": Field("Words that all occur in the name.", lengths: 0...200),
        "before": Field("Number of the last item of the page before."),
        "limit": Field("Items of a page.", range: 1...100, usual: "\(usualLimit)"),
    ]
}

extension NewsChange: Documented {
    package static var fields: [String: Field] {
        [
            "item": Field("The name of a dish, `label`, or a product number."),
            "before": Field("The verdict before; absent if the dish was not read."),
        ]
    }
}

extension NewsItem: Documented {
    package static var fields: [String: Field] {
        [
            "title": Field("What the photo names itself."), "person": Field("The member whom it concerns."),
            "judged": Field("When the photo was judged again."),
        ]
    }
}

struct NewsNumber: Sendable, Codable {
    var number: Int64
}
