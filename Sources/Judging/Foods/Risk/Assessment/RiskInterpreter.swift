import Core

/// Says what is on file about the ingredients of a label. A pure function of its input and the evidence release.
package struct RiskInterpreter: Sendable {
    package let release: EvidenceRelease
    let nova: Nova
    let nutriScore: NutriScore

    /// `2026-11-22.1#0123456789ab`; every outcome stores it.
    package var version: String { release.version }

    /// - Throws: `StartupError` with the file and the record.
    package init(models: ModelFolder, includesUnverified: Bool = false) throws {
        try self.init(
            EvidenceRelease(models: models, includesUnverified: includesUnverified),
            nova: try models.load(Nova.File.self, from: "risk/nova.json"),
            nutriScore: try models.load(NutriScore.Tables.self, from: "risk/nutriscore.json"))
    }

    package init(_ release: EvidenceRelease, nova: Nova.File, nutriScore: NutriScore.Tables) throws {
        self.release = release
        self.nova = Nova(nova, release)
        self.nutriScore = NutriScore(nutriScore)
    }

    /// What is known about the reader and the product besides the text.
    package struct Circumstances: Sendable, Hashable {
        /// BCP 47; nil if unknown.
        package var language: String?
        /// `EU`, `US`, `US-CA`; nil lists all law and draws nothing from it.
        package var jurisdiction: String?
        /// The day of the reading, `yyyy-MM-dd`; nil is the day of the release.
        package var date: String?
        /// The language of the sentences, `en` or `de`.
        package var reader: String
        package var nutrition: NutritionPer100?
        /// True if a nutrition table was read, also if it has no column per 100 g or 100 ml.
        package var hasTable: Bool
        package var category: NutriScore.Category?
        package var flags: NutriScore.Flags
        /// Categories of the product, `en:cheeses`.
        package var categories: [String]
        /// Kilograms of the person who eats the product; nil if nobody stated it.
        package var bodyWeight: Double?
        /// Grams or millilitres eaten; nil means 100.
        package var portion: Double?

        package init(
            language: String? = nil, jurisdiction: String? = nil, date: String? = nil, reader: String = "en",
            nutrition: NutritionPer100? = nil, hasTable: Bool? = nil, category: NutriScore.Category? = nil,
            flags: NutriScore.Flags = .init(), categories: [String] = [], bodyWeight: Double? = nil,
            portion: Double? = nil
        ) {
            self.language = language
            self.jurisdiction = jurisdiction
            self.date = date
            self.reader = reader
            self.nutrition = nutrition
            self.hasTable = hasTable ?? (nutrition != nil)
            self.category = category
            self.flags = flags
            self.categories = categories
            self.bodyWeight = bodyWeight
            self.portion = portion
        }
    }

    /// Assesses an ingredient text.
    package func assessment(ofText text: String, _ circumstances: Circumstances = .init()) -> IngredientAssessment {
        var collector = Collector(self, circumstances)
        collector.add(text)
        return collector.assessment()
    }

    /// Assesses the ingredients of a label.
    ///
    /// - Parameter unread: folded words that were recognised with a confidence below medium.
    package func assessment(
        of ingredients: [Label.Ingredient], unread: Set<String> = [], _ circumstances: Circumstances = .init()
    ) -> IngredientAssessment {
        var collector = Collector(self, circumstances, unread: unread)
        collector.add(Self.text(of: ingredients, depth: 0))
        return collector.assessment()
    }

    /// The tree as text again, so that classes and numbers are read across its items.
    private static func text(of ingredients: [Label.Ingredient], depth: Int) -> String {
        ingredients.map { one in
            let share = one.percent.map { " \($0)%" } ?? ""
            let inner =
                one.ingredients.isEmpty || depth > 32 ? "" : " (\(text(of: one.ingredients, depth: depth + 1)))"
            return one.text + share + inner
        }.joined(separator: ", ")
    }
}

/// The jurisdictions of the evidence release.
package enum Jurisdiction: String, Sendable, Decodable, CaseIterable {
    case europeanUnion = "EU"
    case unitedStates = "US"
    case california = "US-CA"
    case unitedKingdom = "UK"
}

/// The languages of its sentences.
package enum AssessmentLanguage: String, Sendable, Decodable, CaseIterable { case en, de }
