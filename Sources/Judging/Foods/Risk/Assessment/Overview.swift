import Core

/// What an ingredient is, what it is used for, and the documents that say so.
package struct IngredientOverview: Sendable, Hashable {
    package var text: String
    /// Functional classes, or other keys of `EvidenceRelease.useName`.
    package var uses: [String]
    /// Numbers in `EvidenceRelease.documents`.
    var documents: [Int]
    /// The ids of the documents.
    package var references: [String]
}

extension EvidenceRelease {
    /// The overview of the subjects of one name; nil if none is on file. An additive comes from the taxonomy of
    /// additives, any other ingredient from its definition.
    package func overview(of subjects: [String], language: String) -> IngredientOverview? {
        overview(of: index.entries.filter { subjects.contains($0.id) }, language: language)
    }

    func overview(of entries: [SubjectIndex.Entry], language: String) -> IngredientOverview? {
        if let additive = entries.first(where: \.isAdditive), let name = additive.name,
            let document = document(Self.taxonomy)
        {
            return overview(additive.listing(name, language: language), additive.classes, [document])
        }
        // "Egg white" is an egg too; what it is says the part.
        let record = entries.sorted { $0.nameCount < $1.nameCount }.lazy.compactMap { self.definition(of: $0.id) }.first
        return record.flatMap { record in
            record.sentences[language].map { overview($0, record.statement.uses ?? [], record.documents) }
        }
    }

    private func overview(_ text: String, _ uses: [String], _ numbers: [Int]) -> IngredientOverview {
        IngredientOverview(text: text, uses: uses, documents: numbers, references: numbers.map { documents[$0].id })
    }

    /// What a release may lack about an ingredient.
    package enum Missing: Sendable { case evidence, description }

    /// The words in place of a statement or an overview: the day on which a curator last searched for a description,
    /// else the release in which the name was looked up.
    package func nothing(_ what: Missing, on subjects: [String], language: String) -> String {
        nothing(what, on: index.entries.filter { subjects.contains($0.id) }, language: language)
    }

    func nothing(_ what: Missing, on entries: [SubjectIndex.Entry], language: String) -> String {
        let day = what == .description ? entries.lazy.compactMap(\.searched).first : nil
        guard language == "de" else {
            let head = what == .evidence ? "No evidence on file" : "No description on file"
            return head + (day.map { "; last searched for on \($0)" } ?? " in the release of \(date)")
        }
        let head = what == .evidence ? "Keine Belege hinterlegt" : "Keine Beschreibung hinterlegt"
        return head + (day.map { "; zuletzt gesucht am \($0)" } ?? " in der Ausgabe vom \(date)")
    }
}

extension SubjectIndex.Entry {
    /// "Listed as E 250 (sodium nitrite)."
    fileprivate func listing(_ name: String, language: String) -> String {
        let number = id.hasPrefix("E") ? "E " + id.dropFirst() : id
        return (language == "de" ? "Geführt als " : "Listed as ") + "\(number) (\(name))."
    }
}
