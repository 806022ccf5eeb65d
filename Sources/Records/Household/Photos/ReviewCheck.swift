import Core
import Store

extension Review {
    /// Checks a review against what is stored of its photo, and names its dish as the program does.
    ///
    /// - Parameter others: reviews that are stored with it; it may concern a dish that one of them adds.
    /// - Returns: the review with the dish's own name and place, if it means one dish.
    /// - Throws: ``PhotoProblem/badReview(_:)`` for a review that says nothing, ``PhotoProblem/noReviewed(_:)`` with the
    ///   valid choices if it does not match a stored outcome.
    func checked(in store: OutcomeStore, beside others: [Review] = []) throws -> Review {
        try checkValue()
        guard let outcome = try store.outcome(forContent: content) else {
            let known = try store.latestContents(limit: 5)
            throw PhotoProblem.noReviewed(
                "no outcome for \(content): "
                    + (known.isEmpty
                        ? "the database is empty; name the daemon's database with --database"
                        : "use the id of a photo, such as \(known.joined(separator: ", "))"))
        }
        try checkPlace(in: outcome)
        let readings = try store.storedRows(of: content).compactMap {
            try? JSONCoding.decode(ReadAnswer.self, from: $0.answer).readings
        }
        guard !readings.isEmpty else {
            throw PhotoProblem.noReviewed("the readings of this photo are not kept: read it again, then correct it")
        }
        switch action {
        case .readAs: try checkKind(readings)
        case .addDish:
            guard outcome.menu != nil else {
                throw PhotoProblem.noReviewed("the photo was not read as a menu: say that it is one with readAs menu")
            }
        case .product: return try naming(outcome)
        default:
            let isAdded = others.contains { $0.action == .addDish && $0.item == item && $0.place == place }
            return isAdded ? self : try named(in: outcome)
        }
        return self
    }

    private func checkValue() throws {
        let texts = [value, staff, action == .addDish ? item : nil].compactMap(\.self)
        guard (texts + [item]).allSatisfy(Self.isShort) else {
            throw PhotoProblem.badReview("the text is longer than \(Self.longestText) characters")
        }
        let problem: String? =
            switch action {
            case .edit where said == nil || allergen == nil:
                "an edit needs an allergen and a value: \(Said.allCases.map(\.rawValue).joined(separator: ", "))"
            case .rename where (value ?? "").isBlank: "rename needs the name of the dish or the packet as its value"
            case .price where prices == nil, .addDish where prices == nil:
                "a price is a number such as 12.50; several are separated by /"
            case .describe where value == nil, .section where value == nil:
                "\(action.rawValue) needs a value; an empty one for none"
            case .product where GTIN(typed: item).map(RestrictedPrefix.init) != .some(nil) || (value ?? "").isBlank:
                "product needs the packet's number as its item, with a valid check digit, and its name as its value"
            case .rename, .price, .describe, .section, .notADish, .addDish:
                item == Self.everything || item.isBlank ? "\(action.rawValue) needs the name of a dish" : nil
            default: nil
            }
        if let problem { throw PhotoProblem.badReview(problem) }
        let controls = texts.contains { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
        if controls { throw PhotoProblem.badReview("the text has control characters: write it on one line") }
    }

    /// The longest name, description or heading that a person gives, in characters.
    package static let longestText = 500

    /// True for a text that a review may have. A character can have any number of scalars, so these count too.
    package static func isShort(_ text: String) -> Bool {
        text.unicodeScalars.count <= longestText * 4 && text.count <= longestText
    }

    private func checkPlace(in outcome: Outcome) throws {
        guard let place else { return }
        let (width, height) = (Double(outcome.source.width ?? 0), Double(outcome.source.height ?? 0))
        // A pixel more is the rounding of a client.
        guard place.minX >= -1, place.minY >= -1, place.maxX <= width + 1, place.maxY <= height + 1, place.width > 0,
            place.height > 0
        else {
            throw PhotoProblem.badReview(
                "the place is not on the photo, which has \(Int(width)) × \(Int(height)) pixels")
        }
    }

    /// The number and the name of the packet of a label.
    private func naming(_ outcome: Outcome) throws -> Review {
        let numbers = (outcome.products ?? []).compactMap { GTIN($0.gtin) }
        guard let gtin = GTIN(typed: item), numbers.isEmpty ? outcome.label != nil : numbers.contains(gtin) else {
            throw PhotoProblem.noReviewed(
                numbers.isEmpty
                    ? "the photo has no label to name"
                    : "the photo shows another number: \(numbers.map(\.digits).joined(separator: ", "))")
        }
        var review = self
        review.item = gtin.digits
        return review
    }

    private func named(in outcome: Outcome) throws -> Review {
        // A packet has a name, and no other print of a dish.
        let things = outcome.reviewable.filter {
            !action.concernsPrint || $0.isDish || action == .rename && $0.names == [Review.label]
        }
        let number = GTIN(typed: item)
        let meant = things.filter { thing in
            let isNamed =
                item == Self.everything || thing.names.contains(item)
                || !thing.isDish && thing.names.contains { GTIN($0).map { $0 == number } == true }
            guard isNamed, let place, let box = thing.place else { return isNamed }
            return place.overlap(with: box) > 0
        }
        guard let first = meant.first else {
            throw PhotoProblem.noReviewed(
                things.isEmpty
                    ? "the photo has no dish, label or product, so there is nothing to correct"
                    : "the photo has no item \(item): choose one of "
                        + things.compactMap(\.names.first).joined(separator: ", "))
        }
        let allergens = Set(meant.flatMap(\.allergens))
        if let allergen, !allergens.contains(allergen) {
            throw PhotoProblem.noReviewed(
                "\(allergen.rawValue) has no verdict there: "
                    + "choose one of \(allergens.map(\.rawValue).sorted().joined(separator: ", "))")
        }
        guard meant.count == 1, item != Self.everything, let own = first.names.last else { return self }
        var review = self
        (review.item, review.place) = (own, first.place)
        return review
    }

    /// Only what was read can be read as another kind.
    private func checkKind(_ readings: [Readings]) throws {
        guard let kind, item == Self.everything, allergen == nil else {
            let names = Self.kinds.map(\.rawValue).joined(separator: ", ")
            throw PhotoProblem.badReview("readAs concerns the whole photo and needs a value: \(names)")
        }
        guard readings.contains(where: { kind == .board ? $0.pieces != nil : $0.text != nil }) else {
            let what = kind == .board ? "play pieces" : "text"
            throw PhotoProblem.noReviewed(
                "the photo was not read for \(what): read it again with `tablesight scan --as \(kind.rawValue)`")
        }
    }
}

extension Outcome {
    /// A dish, label or product that people can answer for.
    fileprivate struct Reviewable {
        /// The name of now, then that which the program read.
        var names: [String]
        var place: Quad?
        var isDish: Bool
        /// Anybody may be asked about the 14 groups; other keys need a verdict.
        var allergens: Set<Allergen>
    }

    fileprivate var reviewable: [Reviewable] {
        func allergens(_ verdicts: Verdicts?) -> Set<Allergen> {
            Set(Allergen.eu14).union((verdicts ?? [:]).values.flatMap(\.keys))
        }
        let dishes = (menu?.sections.flatMap(\.items) ?? []) + (menu?.notDishes ?? [])
        var all = dishes.map {
            Reviewable(
                names: [$0.name, $0.corrected?.system?.name].compactMap(\.self), place: $0.box, isDish: true,
                allergens: allergens($0.verdicts))
        }
        if let label {
            all.append(Reviewable(names: [Review.label], isDish: false, allergens: allergens(label.verdicts)))
        }
        all += (products ?? []).map {
            Reviewable(names: [$0.gtin], isDish: false, allergens: allergens($0.verdicts))
        }
        return all
    }
}
