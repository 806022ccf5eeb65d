import Core

/// The additives of an ingredient text, as numbers.
package struct AdditiveFinder: Sendable {
    let index: SubjectIndex

    package init(_ release: EvidenceRelease) { index = release.index }

    /// `E330`, `E322i`, each with its group, in the order of the label.
    package func additives(in text: String, language: String?) -> [String] {
        let finder = SubjectFinder(index: index, language: language)
        var result: [String] = []
        func add(_ id: String) {
            let plain = "E" + SubjectIndex.plain(id).dropFirst()
            if !result.contains(plain) { result.append(plain) }
        }
        for item in IngredientList.items(of: text, language: language, index: index).items where !item.isClass {
            for mention in finder.mentions(in: item) where mention.isClean {
                for number in mention.entries where index.counts(number, mention, item) {
                    let entry = index.entries[number]
                    entry.parents.forEach(add)
                    add(entry.id)
                }
            }
        }
        return result
    }
}

extension SubjectIndex {
    /// True if a mention of this entry is an additive: not a vitamin or mineral, and under the class that it needs.
    func counts(_ number: Int, _ mention: SubjectFinder.Mention, _ item: IngredientList.Item) -> Bool {
        let entry = entries[number]
        guard entry.isAdditive else { return false }
        if mention.isNumber { return true }
        let additiveClass: Int? =
            if case .additive(let one) = item.context { one } else { mention.additiveClass }
        if item.context == .nutrients, mention.additiveClass == nil { return false }
        return entry.onlyAfterClass.isEmpty || additiveClass.map(entry.onlyAfterClass.contains) == true
    }
}
