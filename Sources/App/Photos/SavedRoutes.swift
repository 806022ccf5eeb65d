import Core
import HTTP
import Household
import Hummingbird
import Store

// What people save from photos, as JSON and as forms of a result.
extension PhotoRoutes {
    private struct Saved: Codable, Sendable { var items: [SavedThing] }

    var saved: [Route] {
        let missing = "There is nothing under this address."
        return [
            Route(
                .get, "v1/saved", for: .child, "What whoever asks has saved from photos", query: SavedQuery.self,
                gives: [200: "Newest first."]
            ) { call, query in Saved(items: try await saved(query, by: try call.identity)) },
            Route(
                .post, "v1/saved", for: .child, "Saves a dish, a product or a figure of a photo", body: SavedBody.self,
                gives: [200: "It was saved before.", 201: "Saved."],
                refuses: [
                    404: missing, 409: "Too many items are saved.",
                    413: "The body is too large; `limitBytes` names the limit.",
                ]
            ) { call, body in
                let (thing, isNew) = try await cases.save(body.place, by: try call.identity)
                return Answered(isNew ? 201 : 200, thing)
            },
            Route(
                .delete, "v1/saved/\(.saved)", for: .child, "Takes an item off the saved ones",
                gives: [200: "It is no longer saved."], refuses: [404: missing]
            ) { call in
                let number = try call[.saved]
                try await cases.unsave(number, by: try call.identity)
                return SavedNumber(number: number)
            },
            shell.page(.post, "photos/\(.photo)/save", for: .child, in: .history) { visit in
                let form = try await visit.call.form()
                let isOff = form["save"].isEmpty
                let key = isOff ? form["unsave"] : form["save"]
                guard let body = SavedBody(key: key, of: try visit.call[.photo]) else {
                    throw Problem(400, "badRequest", "a form of a result names what to save")
                }
                if isOff {
                    try await cases.unsave(body.place, by: try visit.call.identity)
                } else {
                    _ = try await cases.save(body.place, by: try visit.call.identity)
                }
                if !form["list"].isEmpty {
                    let identity = try visit.call.identity
                    return visit.next("/history?saved=yes", offering: visit.texts.text("saved.taken")) {
                        _ = try await cases.save(body.place, by: identity)
                    }
                }
                var place = ResultPlace()
                (place.person, place.open) = (form.text("for"), form.text("dish"))
                return Visit.next("\(place.address(of: body.photo))#\(key.escaped)")
            },
        ]
    }
}

extension PhotoRoutes {
    private func saved(_ query: SavedQuery, by identity: Identity) async throws -> [SavedThing] {
        try await cases.saved(
            words: query.q ?? "", before: query.before, limit: query.limit ?? SavedQuery.usualLimit, by: identity)
    }

    func savedPage(_ visit: Visit) async throws -> Response {
        var query = try visit.call.query(as: SavedQuery.self)
        query.limit = SavedQuery.usualLimit + 1
        return try visit.show(
            HistoryPage(
                saved: try await saved(query, by: try visit.call.identity), query,
                names: cases.people.map(\.name), visit.language))
    }
}

/// Saves something with one tap, or takes it off again.
struct SaveButton {
    /// `save`, or `unsave` where it is saved.
    let action: String
    /// Kind and item; also the button's place on the page.
    let value: String
    let label: String
    let isSaved: Bool

    /// Nil for a reader who cannot save.
    init?(_ kind: SavedItem.Kind, _ item: String, named name: String, _ shown: ShownOutcome) {
        guard let keys = shown.savedKeys else { return nil }
        value = Self.key(kind, item)
        isSaved = keys.contains(value)
        action = isSaved ? "unsave" : "save"
        label = shown.texts.text("saved.button", ["x": name])
    }

    static func key(_ kind: SavedItem.Kind, _ item: String) -> String { "\(kind.rawValue)-\(item)" }
}

extension SavedBody {
    /// - Parameter key: that of a button.
    fileprivate init?(key: String, of photo: String) {
        let parts = key.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = SavedItem.Kind(rawValue: parts[0]) else { return nil }
        self.init(photo: photo, kind: kind, item: parts[1])
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var saved: Self { PathParameter(number: "number", "The item's `number`.") }
}
