extension Menu {
    /// Ranks the dishes for each person, most serious first. The worst verdict decides the rank of a dish. Equal
    /// dishes keep the order of the menu.
    ///
    /// - Parameter names: names of profiles, in the order of the result.
    public func ranked(for names: [String]) -> [Person] {
        names.map { name in
            var dishes: [RankedDish] = []
            for (section, items) in sections.map(\.items).enumerated() {
                for (place, item) in items.enumerated() {
                    guard let verdicts = item.verdicts[name],
                        let gravest = verdicts.values.max(by: { $0.weight < $1.weight })
                    else { continue }
                    let same = verdicts.filter {
                        $0.value.verdict == gravest.verdict && $0.value.isUnlikely == gravest.isUnlikely
                    }.keys
                    dishes.append(
                        RankedDish(
                            section: section, item: place, name: item.name, worst: gravest.verdict, risk: gravest.risk,
                            allergens: same.sorted { $0.rawValue < $1.rawValue }, probability: gravest.probability))
                }
            }
            let sorted = dishes.enumerated().sorted {
                ($0.element.rank, -$0.offset) > ($1.element.rank, -$1.offset)
            }
            return Person(name: name, dishes: sorted.map(\.element))
        }
    }
}

extension Outcome {
    /// What one person should do about each thing on the photo, most serious first.
    public struct PersonalSummary: Sendable, Hashable, Codable {
        /// Contains, or usually contains, an allergen of the person.
        public var avoid: [String] = []
        /// May contain an allergen of the person, or the photo does not show enough to tell.
        public var ask: [String] = []
        /// Does not mention an allergen of the person. This does not prove absence.
        public var notMentioned: [String] = []

        public init() {}
    }

    /// The name of a label in a summary if no product names it.
    public static let labelName = "label"

    /// Computes `household` and the menu's ranking from the verdicts, including corrected ones.
    public mutating func summarise() {
        if let menu, let people = menu.household { self.menu?.household = menu.ranked(for: people.map(\.name)) }
        var people: [String: [(name: String, gravest: AllergenVerdict)]] = [:]
        for (name, verdicts) in things {
            for (person, verdicts) in verdicts {
                guard let gravest = verdicts.values.max(by: { $0.weight < $1.weight }) else { continue }
                people[person, default: []].append((name, gravest))
            }
        }
        household = people.isEmpty ? nil : people.mapValues(PersonalSummary.init)
    }

    /// Everything with verdicts, by its name in summaries, in the order of the outcome.
    public var things: [(name: String, verdicts: Verdicts)] {
        var things = menu?.sections.flatMap(\.items).map { ($0.name, $0.verdicts) } ?? []
        // What is printed in a line warns, though a person said that it is no dish.
        things += (menu?.notDishes ?? []).map { ($0.name, $0.verdicts.mapValues { $0.filter(\.value.isPrinted) }) }
        var products = products ?? []
        if let label {
            var verdicts = label.verdicts
            var name = Self.labelName
            // A label and a single product are the same thing. The record adds its warnings. The label decides
            // absence claims, since it is on the actual pack.
            if let product = products.first, products.count == 1, product.agreement?.label != .disagrees {
                name = product.name ?? name
                verdicts.mergeWarnings(from: product.verdicts ?? [:])
                products = []
            }
            things.append((name, verdicts))
        }
        let tags = allPriceTags
        things += products.map { product in
            (product.name ?? tags.tag(of: product)?.product?.value ?? product.gtin, product.verdicts ?? [:])
        }
        // The warnings of a product's own tag are among those of the product.
        let own = (self.products ?? []).compactMap { tags.tag(of: $0) }
        things += tags.filter { !own.contains($0) }.map { ($0.product?.value ?? "", $0.verdicts ?? [:]) }
        things += (receipt?.items ?? []).map { ($0.name.value, $0.verdicts ?? [:]) }
        return things
    }
}

extension Outcome.PersonalSummary {
    fileprivate init(_ things: [(name: String, gravest: AllergenVerdict)]) {
        self.init()
        let sorted = things.enumerated().sorted {
            ($0.element.gravest.rank, -$0.offset) > ($1.element.gravest.rank, -$1.offset)
        }
        for (name, gravest) in sorted.map(\.element) {
            switch gravest.verdict {
            case .contains, .likely: avoid.append(name)
            case .mayContain, .cannotTell, .notFoundInText:
                if gravest.isUnlikely { notMentioned.append(name) } else { ask.append(name) }
            }
        }
    }
}

extension [PriceTag] {
    /// The tag of a product: that with its number, or the only one if it has no number.
    public func tag(of product: Product) -> PriceTag? {
        first { $0.gtin.flatMap { GTIN($0.value) }?.digits == product.gtin }
            ?? (count == 1 ? first { $0.gtin == nil } : nil)
    }
}

extension Verdicts {
    /// The warnings alone; nil if there are none.
    public var warnings: Verdicts? {
        let own = mapValues { $0.filter(\.value.verdict.isWarning) }.filter { !$0.value.isEmpty }
        return own.isEmpty ? nil : own
    }

    /// Replaces each verdict by the one in `others` if that one is a more serious warning, and adds the warnings of a
    /// person about what has no verdict here: own words have one only where they were found.
    public mutating func mergeWarnings(from others: Verdicts) {
        for (profile, verdicts) in others where self[profile] != nil {
            for (allergen, verdict) in verdicts where verdict.verdict.isWarning {
                if let own = self[profile]?[allergen], own.verdict.severity >= verdict.verdict.severity { continue }
                self[profile]?[allergen] = verdict
            }
        }
    }
}

extension AllergenVerdict {
    /// True if the text says so: it is not only typical.
    public var isPrinted: Bool { verdict == .contains || verdict == .mayContain }

    fileprivate var weight: Double { verdict.weight(risk, probability) }
    fileprivate var rank: Double { verdict.rank(risk, probability) }
}

extension Menu.RankedDish {
    fileprivate var rank: Double { worst.rank(risk, probability) }
}

extension AllergenVerdict.Kind {
    /// Order among dishes. Print keeps its own order: its probability says how well it was read.
    fileprivate func rank(_ risk: AllergenVerdict.Risk, _ probability: Double) -> Double {
        weight(risk, self == .contains ? 1 : probability)
    }

    /// Sort weight: first the verdict, then the risk, then the probability 0…1. What is unlikely comes last, behind what
    /// nothing is known of.
    fileprivate func weight(_ risk: AllergenVerdict.Risk, _ probability: Double) -> Double {
        if isUnlikely(risk, probability) { return probability }
        let step: Double =
            switch risk {
            case .high: 3
            case .medium: 2
            case .low: 1
            case .unknown: 0
            }
        return 10 * Double(severity) + 2 * step + probability
    }
}
