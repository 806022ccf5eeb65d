/// Fields that are imported. ``ImportFormat`` has the sources' names for them.
enum ImportField: Int, CaseIterable {
    case code, name, fallbackName, brand, quantity, language, ingredients, allergens, traces
    case calories, energy, protein, carbs, fat, saturated, sugars, fiber, salt
    case serving, servingGrams, servingUnit, modified, owner

    /// True for fields that hold a number.
    var isFigure: Bool { self == .servingGrams || (Self.calories.rawValue...Self.salt.rawValue).contains(rawValue) }
}

struct ImportTexts {
    private var texts = [String?](repeating: nil, count: ImportField.allCases.count)

    subscript(field: ImportField) -> String? {
        get { texts[field.rawValue] }
        set { texts[field.rawValue] = newValue }
    }
}

package enum ImportFormat: String, Sendable, CaseIterable {
    /// Open Food Facts, one JSON object per line.
    case offJSONL = "off-jsonl"
    /// Open Food Facts' export: tab-separated without quotes, or comma-separated if saved by a spreadsheet.
    case offCSV = "off-csv"
    /// USDA FoodData Central, `branded_food.csv`.
    case usdaCSV = "usda-csv"
    /// USDA FoodData Central's branded foods, one JSON object per line.
    case usdaJSON = "usda-json"

    package init?(fileName: String) {
        let name = fileName.lowercased()
        let isUSDA = ["usda", "fdc", "branded"].contains(where: name.contains)
        if [".jsonl", ".ndjson", ".json"].contains(where: name.contains) {
            self = isUSDA ? .usdaJSON : .offJSONL
        } else if [".csv", ".tsv"].contains(where: name.contains) {
            self = isUSDA ? .usdaCSV : .offCSV
        } else {
            return nil
        }
    }

    var isJSON: Bool { self == .offJSONL || self == .usdaJSON }
    /// True if producers declare the records: brand owners declare USDA's branded foods.
    var isProducers: Bool { self == .usdaCSV || self == .usdaJSON }
    /// Name of the source's catalogue file, and prefix of its product ids.
    var source: String { isProducers ? "usda" : "off" }

    /// The source's field names. If a record has several names for one field, the first non-empty value counts.
    var keys: [(String, ImportField)] { isProducers ? Self.usdaKeys : Self.offKeys }

    private static let offKeys: [(String, ImportField)] = [
        ("code", .code), ("product_name", .name), ("abbreviated_product_name", .fallbackName),
        ("generic_name", .fallbackName), ("brands", .brand), ("quantity", .quantity), ("lang", .language),
        ("ingredients_text", .ingredients), ("allergens_tags", .allergens), ("allergens", .allergens),
        ("traces_tags", .traces), ("traces", .traces), ("energy-kcal_100g", .calories), ("energy_100g", .energy),
        ("energy-kj_100g", .energy),
        ("proteins_100g", .protein), ("carbohydrates_100g", .carbs), ("fat_100g", .fat),
        ("saturated-fat_100g", .saturated), ("sugars_100g", .sugars), ("fiber_100g", .fiber), ("salt_100g", .salt),
        ("serving_size", .serving), ("serving_quantity", .servingGrams), ("last_modified_t", .modified),
        ("owner", .owner),
    ]

    private static let usdaKeys: [(String, ImportField)] = [
        ("gtin_upc", .code), ("gtinUpc", .code), ("description", .name), ("short_description", .fallbackName),
        ("branded_food_category", .fallbackName), ("brandedFoodCategory", .fallbackName), ("brand_name", .brand),
        ("brandName", .brand), ("brand_owner", .owner), ("brandOwner", .owner), ("ingredients", .ingredients),
        ("package_weight", .quantity), ("packageWeight", .quantity), ("serving_size", .servingGrams),
        ("servingSize", .servingGrams), ("serving_size_unit", .servingUnit), ("servingSizeUnit", .servingUnit),
        ("household_serving_fulltext", .serving), ("householdServingFullText", .serving), ("modified_date", .modified),
        ("modifiedDate", .modified),
    ]
}
