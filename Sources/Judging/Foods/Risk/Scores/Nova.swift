import Core

/// The NOVA group of an ingredient list, with the words that put it there.
package struct Nova: Sendable {
    /// `models/risk/nova.json`: classes, additives and words that mark groups 3 and 4.
    package struct File: DataFile, Sendable {
        package static let schema = "tablesight.nova/1"

        struct Marker: Sendable, Decodable {
            var group: Int
            var terms: [String: [String]]
        }

        /// Functional classes of group 4.
        var classes: [String]
        /// Ranges of E-numbers of group 4.
        var additives: [[Int]]
        var exceptAdditives: [String]
        var markers: [Marker]
        /// Group → categories of products, without a language prefix.
        var categories: [String: [String]]
        /// Categories that mark a product only together with an ingredient list.
        var notAlone: [String]

        package func validate(name: String) throws(DataFileProblem) {
            for (index, range) in additives.enumerated() {
                try DataFileProblem.check(
                    range.count == 2 && range[0] <= range[1], "additives[\(index)]", "[first, last] expected")
            }
            for (index, marker) in markers.enumerated() {
                try DataFileProblem.check(
                    [1, 3, 4].contains(marker.group), "markers[\(index)].group",
                    "1 (names that only look like a marker), 3 or 4 expected")
            }
        }
    }

    /// The group and its markers.
    package struct Group: Sendable, Hashable {
        package var group: Int?
        package var markers: [IngredientAssessment.Processing.Marker]
    }

    private let classes: Set<Int>
    private let isAdditiveMarker: [Bool]
    private let terms: NameTable<Int>
    /// Numbers of the words of terms that no name of a subject has.
    private let ownWords: [String: Int32]
    private static let firstOwnNumber: Int32 = 1 << 24
    private let categories: [String: Int]
    private let notAlone: Set<String>
    private let index: SubjectIndex

    package init(_ file: File, _ release: EvidenceRelease) {
        index = release.index
        let names = release.index.classIDs
        classes = Set(file.classes.compactMap(names.firstIndex))
        let except = Set(file.exceptAdditives.map(SubjectIndex.plain))
        isAdditiveMarker = release.index.entries.map { entry in
            guard entry.isAdditive else { return false }
            let plain = SubjectIndex.plain(entry.id)
            let digits = plain.dropFirst().prefix { $0.isNumber }
            guard let number = Int(digits), !except.contains(plain), !except.contains("e" + digits) else {
                return plain.hasPrefix("e14")
            }
            return file.additives.contains { ($0[0]...$0[1]).contains(number) }
        }
        var terms = NameTable<Int>()
        var ownWords: [String: Int32] = [:]
        for marker in file.markers {
            for list in marker.terms.values {
                for term in list {
                    let words = SubjectIndex.words(of: term).map(SubjectIndex.singular)
                    let numbers = words.map { word in
                        let known = release.index.words[word].number
                        guard known == NameWord.unknown else { return known }
                        let next = Self.firstOwnNumber + Int32(ownWords.count)
                        return ownWords[word]
                            ?? {
                                ownWords[word] = next; return next
                            }()
                    }
                    terms.update(numbers) { max($0 ?? 0, marker.group) }
                }
            }
        }
        (self.terms, self.ownWords) = (terms, ownWords)
        categories = Dictionary(
            file.categories.flatMap { group, names in names.map { ($0, Int(group) ?? 1) } },
            uniquingKeysWith: max)
        notAlone = Set(file.notAlone)
    }

    /// - Parameter categories: `en:cheeses`; empty if unknown.
    package func group(of text: String, language: String?, categories: [String] = []) -> Group {
        let (items, scalars) = IngredientList.items(of: text, language: language, index: index)
        let finder = SubjectFinder(index: index, language: language)
        return group(of: items.map { ($0, finder.mentions(in: $0)) }, scalars, language, categories)
    }

    func group(
        of items: [(IngredientList.Item, [SubjectFinder.Mention])], _ scalars: [Unicode.Scalar], _ language: String?,
        _ names: [String] = []
    ) -> Group {
        let plain = names.map { $0.split(separator: ":").last.map(String.init) ?? $0 }
        let fromCategory = plain.filter { !notAlone.contains($0) }.compactMap { categories[$0] }.max()
        guard !items.isEmpty else {
            return Group(group: fromCategory, markers: [])
        }
        var markers: [IngredientAssessment.Processing.Marker] = []
        func mark(_ group: Int, _ range: Range<Int>) {
            guard group > 1 else { return }
            let text = String(scalars: scalars[range])
            if !markers.contains(where: { $0.text == text }) { markers.append(.init(group: group, text: text)) }
        }
        // Class names in a sentence that denies them are no classes either.
        for (item, mentions) in items where item.words.first.map({ IngredientWords.isNegation($0.text) }) != true {
            if item.isClass {
                if case .additive(let number) = item.context, classes.contains(number) { mark(4, item.range) }
                if let number = index.additiveClass(named: item.words), classes.contains(number) { mark(4, item.range) }
                continue
            }
            for mention in mentions {
                let isAdditive = mention.entries.contains {
                    isAdditiveMarker[$0] && index.counts($0, mention, item)
                }
                if isAdditive || mention.additiveClass.map(classes.contains) == true {
                    mark(4, mention.range)
                } else if let group = termGroup(item, language) {
                    mark(group, item.range)
                }
            }
        }
        let highest = markers.map(\.group).max()
        let group: Int =
            switch (fromCategory, highest) {
            case (_, 4?): 4
            // A culinary ingredient stays one: salt in starch, oil in a spread of oil.
            case (2?, _): 2
            case (let category?, let own): max(category, own ?? 1)
            case (nil, let own): own ?? 1
            }
        return Group(group: group, markers: markers.filter { $0.group == group })
    }

    /// The group of an item by its words: the whole name, or the name without qualifiers or its origin.
    private func termGroup(_ item: IngredientList.Item, _ language: String?) -> Int? {
        let words = item.words.filter { !$0.isFiller && !$0.isNumber }
        // "to preserve flavour" is a purpose.
        guard words.first?.text != "to" else { return nil }
        var best: Int?
        for part in words.split(whereSeparator: { IngredientWords.isConjunction($0.text, language: language) }) {
            if let group = group(of: part.map(number)[...], language) { best = max(best ?? 0, group) }
        }
        return best
    }

    private func number(of word: NameWord) -> Int32 {
        guard word.singular == NameWord.unknown else { return word.singular }
        return ownWords[SubjectIndex.singular(word.text)] ?? NameWord.unknown
    }

    private func group(of words: ArraySlice<Int32>, _ language: String?) -> Int? {
        if let group = terms.value(of: words) { return group }
        let isHeadFirst = IngredientWords.isHeadFirst(language)
        for dropped in 1..<max(1, min(4, words.count)) {
            let kept = isHeadFirst ? words.dropLast(dropped) : words.dropFirst(dropped)
            if let group = terms.value(of: kept) { return group }
        }
        return nil
    }
}
