import Foundation
import GRDB
import Core

extension Outcome {
    /// Puts what people said of this content in the place of the system's verdicts, which stay beside it in `system`. Applied
    /// again, it gives the same outcome; the last word on an allergen counts.
    ///
    /// - Parameter reviews: of this content, in the order they were made.
    public mutating func apply(_ reviews: [Review]) {
        guard !reviews.isEmpty else { return }
        for section in menu?.sections.indices ?? 0..<0 {
            for item in menu?.sections[section].items.indices ?? 0..<0 {
                guard let name = menu?.sections[section].items[item].name else { continue }
                menu?.sections[section].items[item].verdicts.apply(reviews) { $0 == name }
            }
        }
        label?.verdicts.apply(reviews) { $0 == Review.label }
        for index in products?.indices ?? 0..<0 {
            guard let gtin = products?[index].gtin else { continue }
            products?[index].verdicts?.apply(reviews) { $0 == gtin || GTIN($0)?.digits == gtin }
        }
        summarise()
    }

    /// What a review of this outcome may speak of: dishes, `label`, products' numbers; each with the allergens that are judged.
    public var reviewable: [(item: String, allergens: Set<Allergen>)] {
        func allergens(_ verdicts: Verdicts?) -> Set<Allergen> { Set((verdicts ?? [:]).values.flatMap(\.keys)) }
        var all = (menu?.sections.flatMap(\.items) ?? []).map { ($0.name, allergens($0.verdicts)) }
        if let label { all.append((Review.label, allergens(label.verdicts))) }
        all += (products ?? []).map { ($0.gtin, allergens($0.verdicts)) }
        return all
    }
}

extension Review {
    /// What reviews call the label of a photo.
    public static let label = "label"
    /// What reviews call everything on a photo.
    public static let everything = "*"

    /// What holds by this review, where it says so; nil where it only confirms.
    fileprivate var word: AllergenVerdict.Kind? {
        guard action == .edit else { return nil }
        return switch value {
        case "CONTAINS": .contains
        case "MAY_CONTAIN": .mayContain
        // Nobody's word proves absence: a person says that it is not mentioned there.
        case "ABSENT": .notFoundInText
        default: nil
        }
    }

    fileprivate func applied(to verdict: AllergenVerdict) -> AllergenVerdict {
        let own = verdict.own
        var corrected = AllergenVerdict(
            verdict: own.verdict, risk: own.risk, probability: own.probability, reason: own.reason)
        if let word {
            corrected = AllergenVerdict(
                verdict: word, risk: word == .contains ? .high : word == .mayContain ? .medium : .low,
                probability: word == .contains ? 1 : word == .mayContain ? 0.5 : 0.03, reason: "review")
        }
        corrected.by = reviewer
        corrected.at = Date(timeIntervalSince1970: made).formatted(.iso8601)
        corrected.system = own
        return corrected
    }
}

extension Verdicts {
    /// Starts from the system's own verdicts, whatever was applied before.
    fileprivate mutating func apply(_ reviews: [Review], isMeant: (String) -> Bool) {
        let own = reviews.filter { $0.item == Review.everything || isMeant($0.item) }
        guard !own.isEmpty else { return }
        self = mapValues { verdicts in
            var verdicts = verdicts
            for review in own {
                for allergen in review.allergen.map({ [$0] }) ?? Array(verdicts.keys) {
                    guard let verdict = verdicts[allergen] else { continue }
                    verdicts[allergen] = review.applied(to: verdict)
                }
            }
            return verdicts
        }
    }
}

extension OutcomeStore {
    /// Puts all reviews of this content into the stored outcomes of every file that has it; their sidecars are to be written again.
    public func applyReviews(of content: String) throws {
        let reviews = try reviews(of: content)
        let rows = try read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT photo.id AS id, json FROM outcome JOIN photo ON photo.id = outcome.photo WHERE content = ?",
                arguments: [content]
            ).map { (photo: $0["id"] as Int64, json: $0["json"] as Data) }
        }
        try replace(
            try rows.compactMap { row in
                guard var outcome = try? JSONCoding.decode(Outcome.self, from: row.json) else { return nil }
                outcome.apply(reviews)
                return (row.photo, try JSONCoding.encode(outcome))
            })
    }

    /// Writes the sidecars of outcomes that were replaced; where a daemon runs it does so itself, within a second.
    ///
    /// - Returns: how many of them could not be written, each with the reason.
    public func writeSidecars() throws -> [(path: FilePathBytes, reason: String)] {
        var refused: [(FilePathBytes, String)] = []
        var written: [Int64] = []
        for (photo, json) in try unwrittenSidecars() {
            do throws(StartupError) {
                try SidecarFile.write(json + [0x0A], to: photo.sidecar)
                written.append(photo.id)
            } catch {
                guard error.concernsOnePath else { throw error }
                refused.append((photo.path, error.message))
            }
        }
        try markSidecarsWritten(written)
        return refused
    }
}
