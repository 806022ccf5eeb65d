import Core

extension AllergenInterpreter {
    /// The verdicts of each person on something by its name: a line of a receipt, a price tag, a word on a shopping list.
    ///
    /// A name declares nothing, so nothing of it is "not mentioned".
    ///
    /// - Parameter isAlone: false beside a list of ingredients, which says what such food has. Then only what the name prints
    ///   counts. Alone, a name is judged as that of a dish and as a label, and the more serious verdict counts: a packet of
    ///   waffles has what waffles have, a kitchen's may be others.
    public func verdicts(onName name: String, isAlone: Bool = true, profiles: [AllergenProfile]) -> Verdicts {
        let (labels, menus) = judges(for: profiles)
        var verdicts = menus.item(ofText: name, language: nil, profiles: profiles).verdicts
        guard isAlone else { return verdicts.mapValues { $0.filter { $0.value.verdict == .contains } } }
        let label = labels.label(ofText: name, language: nil, sourceKind: "name", profiles: profiles)
        verdicts.mergeWarnings(from: label.verdicts)
        return verdicts
    }

    /// What the name of a product says.
    ///
    /// - Parameter isAlone: as for the verdicts.
    public func findings(inName name: String, isAlone: Bool) -> [AllergenFinding] {
        let (labels, menus) = judges(for: [])
        let asDish = menus.item(ofText: name, language: nil, profiles: []).findings
        guard isAlone else { return asDish.filter { $0.polarity == .contains } }
        let asLabel = labels.reading(of: RecognizedText(name), language: nil).findings
        return FindingDetector.merged(asLabel + asDish).filter { ![.freeClaim, .option].contains($0.polarity) }
    }

    /// Adds the warnings of the product's name to a price tag.
    public func judge(_ tag: inout PriceTag, for profiles: [AllergenProfile]) {
        tag.verdicts = tag.product.flatMap { verdicts(onName: $0.value, profiles: profiles).warnings }
    }

    /// Adds the warnings of their names to the lines of a receipt.
    public func judge(_ receipt: inout Receipt, for profiles: [AllergenProfile]) {
        for index in receipt.items.indices {
            receipt.items[index].verdicts =
                verdicts(onName: receipt.items[index].name.value, profiles: profiles).warnings
        }
    }
}
