import Core

extension Product.Contradiction {
    /// The allergens on which a record and a label disagree. CANNOT_TELL contradicts nothing.
    static func all(record: Verdicts, label: Verdicts) -> [Product.Contradiction] {
        record.sorted { $0.key < $1.key }.flatMap { profile, verdicts in
            verdicts.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { allergen, verdict in
                guard let other = label[profile]?[allergen], other.verdict != verdict.verdict,
                    other.verdict != .cannotTell, verdict.verdict != .cannotTell
                else { return nil }
                return Product.Contradiction(
                    profile: profile, allergen: allergen, record: verdict.verdict, label: other.verdict)
            }
        }
    }
}
