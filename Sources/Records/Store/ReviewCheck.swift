import Core
import Foundation

extension Review {
    /// - Throws: ``StartupError``: 64 for a review that says nothing, 66 with the valid choices if it does not match a
    ///   stored outcome.
    public func check(in store: OutcomeStore) throws {
        if action == .edit, value.map({ Self.values.contains($0) }) != true || allergen == nil {
            throw StartupError(
                .usage, "an edit needs an allergen and a value: \(Self.values.joined(separator: ", "))")
        }
        guard let json = try store.outcomeJSON(forContent: content) else {
            let known = try store.latestContents(limit: 5)
            throw StartupError(
                .noInput,
                "no outcome for \(content): "
                    + (known.isEmpty
                        ? "the database is empty; name the daemon's database with --database"
                        : "use the id of a photo, such as \(known.joined(separator: ", "))"))
        }
        if action == .readAs { return try checkKind(in: store) }
        let things = try JSONCoding.decode(Outcome.self, from: json).reviewable
        let names = things.map(\.item)
        let meant = things.filter { thing in
            item == Self.everything || thing.item == item || GTIN(item)?.digits == thing.item
        }
        guard !meant.isEmpty else {
            throw StartupError(
                .noInput,
                names.isEmpty
                    ? "the photo has no verdicts, so there is nothing to correct"
                    : "the photo has no item \(item): choose one of \(names.joined(separator: ", "))")
        }
        let allergens = Set(meant.flatMap(\.allergens))
        if let allergen, !allergens.contains(allergen) {
            throw StartupError(
                .noInput,
                "\(allergen.rawValue) has no verdict there: "
                    + "choose one of \(allergens.map(\.rawValue).sorted().joined(separator: ", "))")
        }
    }

    /// Only what was read can be read as another kind.
    private func checkKind(in store: OutcomeStore) throws {
        guard let kind, item == Self.everything, allergen == nil else {
            let names = Self.kinds.map(\.rawValue).joined(separator: ", ")
            throw StartupError(.usage, "readAs concerns the whole photo and needs a value: \(names)")
        }
        let readings = try store.storedRows(of: content).compactMap {
            try? JSONCoding.decode(ReadAnswer.self, from: $0.answer).readings
        }
        guard readings.contains(where: { kind == .board ? $0.pieces != nil : $0.text != nil }) else {
            let what = kind == .board ? "play pieces" : "text"
            throw StartupError(
                .noInput,
                "the photo was not read for \(what): read it again with `tablesight scan --as \(kind.rawValue)`")
        }
    }

    /// The values of an edit.
    public static let values = ["CONTAINS", "MAY_CONTAIN", "ABSENT"]
}
