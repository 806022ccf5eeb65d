import Core

/// An assessment in a few lines for people, with numbered references.
package struct AssessmentText {
    private let assessment: IngredientAssessment
    private let release: EvidenceRelease
    private var isGerman: Bool { assessment.language == "de" }

    package init(_ assessment: IngredientAssessment, _ release: EvidenceRelease) {
        self.assessment = assessment
        self.release = release
    }

    package var lines: [String] {
        var lines = [summary]
        let groups: [(String, String, [IngredientAssessment.Ingredient])] = [
            ("HIGH", "HOCH", assessment.high_risk), ("MODERATE", "MITTEL", assessment.moderate_risk),
            ("LOW", "NIEDRIG", assessment.low_risk), ("no level", "ohne Stufe", assessment.no_level),
            ("no evidence", "ohne Belege", assessment.no_evidence.filter { $0.overview != nil }),
        ]
        for (english, german, ingredients) in groups {
            for one in ingredients {
                lines.append("\(isGerman ? german : english): \(one.name)")
                lines += overview(of: one)
                if one.statements.isEmpty { lines.append("    \(one.risk).") }
                for statement in one.statements {
                    let place = statement.jurisdiction == "INT" ? "" : "\(statement.jurisdiction) "
                    let marks = statement.citations.map { "[\($0)]" }.joined()
                    lines.append("    \(place)\(statement.text) \(marks)")
                }
                if let dose = one.dose {
                    lines.append("    \(dose.text) \(dose.citations.map { "[\($0)]" }.joined())")
                }
            }
        }
        // Names without a record of any kind share a line for each day on which they were looked for.
        let silent = assessment.no_evidence.filter { $0.overview == nil }
        for (risk, names) in Dictionary(grouping: silent, by: \.risk).sorted(by: { $0.key < $1.key }) {
            lines.append("\(risk): " + names.map(\.name).joined(separator: ", "))
        }
        if !assessment.not_read.isEmpty {
            lines.append(
                (isGerman ? "Nicht sicher gelesen: " : "Could not be read: ")
                    + assessment.not_read.map(\.name).joined(separator: ", "))
        }
        lines += assessment.limits.compactMap { Self.limits[$0]?[isGerman ? 1 : 0] }.map { "· \($0)" }
        if !assessment.citations.isEmpty { lines.append("") }
        lines += assessment.citations.map { "[\($0.id)] \($0.source) (\($0.year)). \($0.title). \($0.url)" }
        return lines
    }

    /// What it is and what it is used for, with its references; else since when nothing is on file.
    private func overview(of one: IngredientAssessment.Ingredient) -> [String] {
        guard let text = one.overview else {
            return ["    \(release.nothing(.description, on: one.subjects, language: assessment.language))."]
        }
        let known = release.overview(of: one.subjects, language: assessment.language)?.references ?? []
        let marks = assessment.citations.filter { known.contains($0.ref) }.map { "[\($0.id)]" }.joined()
        let uses = one.common_uses.map { release.useName($0, language: assessment.language) }
        let head = isGerman ? "Übliche Verwendung" : "Common uses"
        return ["    \(text) \(marks)"] + (uses.isEmpty ? [] : ["    \(head): " + uses.joined(separator: ", ")])
    }

    private var summary: String {
        let components = assessment.components
        let nutrition =
            components.nutrition.grade.map { "\($0) (\(components.nutrition.score ?? 0))" }
            ?? Self.noScore[components.nutrition.reason ?? ""].map { $0[isGerman ? 1 : 0] }
            ?? (isGerman ? "Nährwerte nicht gelesen" : "nutrition not read")
        let disputed = components.processing.citations.map { "[\($0)]" }.joined()
        let nova =
            components.processing.nova_group.map {
                disputed.isEmpty ? "\($0)" : "\($0) (\(isGerman ? "umstritten" : "disputed") \(disputed))"
            } ?? "–"
        let additives = components.additives
        let counts = [
            ("high", "hoch", additives.high), ("moderate", "mittel", additives.moderate),
            ("low", "niedrig", additives.low), ("no level", "ohne Stufe", additives.no_level),
            ("without evidence", "ohne Belege", additives.no_evidence),
        ].filter { !$0.2.isEmpty }.map { "\($0.2.count) \(isGerman ? $0.1 : $0.0)" }
        let list = counts.isEmpty ? (isGerman ? "keine erkannt" : "none recognised") : counts.joined(separator: ", ")
        return "Nutri-Score 2023 \(isGerman ? "(berechnet)" : "(computed)"): \(nutrition) · NOVA: \(nova) · "
            + "\(isGerman ? "Zusatzstoffe" : "additives"): \(list)"
    }

    /// What the label cannot tell, by key.
    package static let limits: [String: [String]] = [
        "amounts": ["The label does not state all amounts.", "Das Etikett nennt nicht alle Mengen."],
        "flavourings": [
            "The substances of a flavouring are not on the label.",
            "Die Stoffe eines Aromas stehen nicht auf dem Etikett.",
        ],
        "enzymes": ["The word for enzymes names no substance.", "Das Wort für Enzyme nennt keinen Stoff."],
        "unread": [
            "Some words could not be read. Nothing is said about them.",
            "Einige Wörter wurden nicht sicher gelesen. Über sie wird nichts gesagt.",
        ],
        "nutrition": [
            "Without a complete nutrition table per 100 g or 100 ml there is no grade.",
            "Ohne vollständige Nährwerttabelle je 100 g oder 100 ml gibt es keine Note.",
        ],
    ]

    /// Why there is no grade although the table was read, by reason.
    private static let noScore = [
        "nutrition not per 100 g": ["nutrition not per 100 g", "Nährwerte nicht je 100 g"],
        "nutrition incomplete": ["nutrition incomplete", "Nährwerte unvollständig"],
        "category without Nutri-Score": ["category without Nutri-Score", "Kategorie ohne Nutri-Score"],
    ]
}
