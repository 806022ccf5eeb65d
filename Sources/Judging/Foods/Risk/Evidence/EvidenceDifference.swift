extension EvidenceRelease.Files {
    /// The records that differ in another release: `+ id` is new, `- id` is gone, `~ id: fields` has changed.
    package func changes(to other: EvidenceRelease.Files) -> [String] {
        var lines: [String] = []
        if manifest.version != other.manifest.version {
            lines.append("version \(manifest.version) → \(other.manifest.version)")
        }
        func compare<Record: Hashable>(_ old: [Record], _ new: [Record], _ id: (Record) -> String) {
            let before = Dictionary(old.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
            let after = Dictionary(new.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
            for key in Set(before.keys).union(after.keys).sorted() {
                switch (before[key], after[key]) {
                case (nil, _): lines.append("+ \(key)")
                case (_, nil): lines.append("- \(key)")
                case (let old?, let new?) where old != new:
                    lines.append("~ \(key): \(Self.fields(old, new).joined(separator: ", "))")
                default: break
                }
            }
        }
        compare(evidence.statements, other.evidence.statements) { $0.id }
        compare(evidence.citations, other.evidence.citations) { $0.id }
        compare(subjects.additives + subjects.ingredients, other.subjects.additives + other.subjects.ingredients) {
            $0.id
        }
        for key in Set(sentences.sentences.keys).union(other.sentences.sentences.keys).sorted()
        where sentences.sentences[key] != other.sentences.sentences[key] {
            lines.append("~ sentence \(key)")
        }
        return lines
    }

    /// The names of the fields that differ.
    private static func fields<Record>(_ old: Record, _ new: Record) -> [String] {
        zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children).compactMap { before, after in
            String(describing: before.value) == String(describing: after.value) ? nil : before.label
        }
    }
}
