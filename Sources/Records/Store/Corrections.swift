import Foundation
import GRDB
import Core

extension Outcome {
    /// Replaces the program's verdicts by reviewed ones; the originals stay in `system`. Applying the same reviews
    /// twice gives the same outcome. The latest review of an allergen counts. Verdicts without a review become the
    /// program's own again, so a withdrawn review leaves no trace.
    ///
    /// - Parameter reviews: reviews of this content, oldest first.
    public mutating func apply(_ reviews: [Review]) {
        guard !reviews.isEmpty || isCorrected else { return }
        if let named = reviews.last(where: { $0.kind != nil }) {
            pageKind = PageKindReading(value: named.value ?? "", confidence: 1, runnerUp: pageKind?.runnerUp)
            pageKind?.by = named.reviewer
            pageKind?.at = named.moment
        }
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

    private var isCorrected: Bool {
        if pageKind?.by != nil { return true }
        let all =
            (menu?.sections.flatMap(\.items) ?? []).map(\.verdicts) + [label?.verdicts ?? [:]]
            + (products ?? []).map { $0.verdicts ?? [:] }
        return all.contains { $0.values.contains { $0.values.contains { $0.by != nil } } }
    }

    /// The items that can be reviewed (dish names, `label`, product numbers) with their judged allergens.
    public var reviewable: [(item: String, allergens: Set<Allergen>)] {
        func allergens(_ verdicts: Verdicts?) -> Set<Allergen> { Set((verdicts ?? [:]).values.flatMap(\.keys)) }
        var all = (menu?.sections.flatMap(\.items) ?? []).map { ($0.name, allergens($0.verdicts)) }
        if let label { all.append((Review.label, allergens(label.verdicts))) }
        all += (products ?? []).map { ($0.gtin, allergens($0.verdicts)) }
        return all
    }
}

extension Review {
    /// The item name of a photo's label in reviews.
    public static let label = "label"
    /// The item name of the whole photo in reviews.
    public static let everything = "*"

    /// The kinds that a person may name: those of printed pages, and boards.
    public static let kinds: [Outcome.Domain] = [.menu, .label, .receipt, .priceTag, .board]

    /// The kind that the review names; nil for reviews of verdicts.
    public var kind: Outcome.Domain? {
        guard action == .readAs else { return nil }
        return value.flatMap(Outcome.Domain.init(rawValue:)).flatMap { Self.kinds.contains($0) ? $0 : nil }
    }

    fileprivate var moment: String { Date(timeIntervalSince1970: made).formatted(.iso8601) }

    /// The reviewed verdict; nil if the review only confirms.
    fileprivate var word: AllergenVerdict.Kind? {
        guard action == .edit else { return nil }
        return switch value {
        case "CONTAINS": .contains
        case "MAY_CONTAIN": .mayContain
        // A person cannot prove absence either; the verdict states only that the text does not mention the allergen.
        case "ABSENT": .notFoundInText
        default: nil
        }
    }

    fileprivate func applied(to verdict: AllergenVerdict) -> AllergenVerdict {
        var corrected = verdict.withoutCorrection
        if let word {
            corrected = AllergenVerdict(
                verdict: word, risk: word == .contains ? .high : word == .mayContain ? .medium : .low,
                probability: word == .contains ? 1 : word == .mayContain ? 0.5 : 0.03, reason: "review")
        }
        corrected.by = reviewer
        corrected.at = moment
        corrected.system = verdict.own
        return corrected
    }
}

extension Verdicts {
    /// Starts from the program's own verdicts, without earlier corrections.
    fileprivate mutating func apply(_ reviews: [Review], isMeant: (String) -> Bool) {
        let own = reviews.filter {
            $0.action != .readAs && ($0.item == Review.everything || isMeant($0.item))
        }
        self = mapValues { verdicts in
            var verdicts = verdicts.mapValues(\.withoutCorrection)
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

extension AllergenVerdict {
    /// The program's own verdict.
    fileprivate var withoutCorrection: AllergenVerdict {
        guard by != nil else { return self }
        return AllergenVerdict(verdict: own.verdict, risk: own.risk, probability: own.probability, reason: own.reason)
    }
}

extension OutcomeStore {
    /// Applies all reviews of this content to the stored outcomes of its files and marks their sidecars as unwritten.
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

    /// Writes the sidecars of replaced outcomes. A running daemon does this within a second.
    ///
    /// - Returns: the sidecars that could not be written, with the reasons.
    public func writeSidecars() throws -> [(path: FilePathBytes, reason: String)] {
        var refused: [(FilePathBytes, String)] = []
        var written: [Int64] = []
        for (photo, json) in try unwrittenSidecars() {
            do {
                try SidecarFile.write(json + [0x0A], to: photo.sidecar)
                if try !removeIfErased(photo.sidecar, of: photo.path) { written.append(photo.id) }
            } catch let error as StartupError where error.concernsOnePath {
                refused.append((photo.path, error.message))
            }
        }
        try markSidecarsWritten(written)
        return refused
    }
}
