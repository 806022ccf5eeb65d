import Core
import Foundation

/// Answers cases of food facts, one JSON object a line.
package struct AssessmentTask: Sendable {
    /// What the cases ask for.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case assessment, nutriscore, nova, additives, amounts
    }

    /// One case; which keys count depends on the task.
    struct Case: Decodable {
        var id: String
        var language: String?
        var ingredients_text: String?
        var categories: [String]?
        var category: NutriScore.Category?
        var flags: NutriScore.Flags?
        var per100: NutritionPer100?
        var jurisdiction: String?
        var date: String?
        /// Kilograms, and grams or millilitres eaten.
        var body_weight_kg, portion_g: Double?
        var task: String?
        var text: String?
    }

    struct Answer: Encodable {
        var id: String
        var score: Int?
        var grade: String?
        var reason: String?
        var nova_group: Int?
        var markers: [IngredientAssessment.Processing.Marker]?
        var additives: [String]?
        var error: String?
    }

    private struct AmountAnswer: Encodable {
        var id: String
        var quantity_g_or_ml: Double?

        enum CodingKeys: CodingKey { case id, quantity_g_or_ml }

        /// A missing amount is written as null.
        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(quantity_g_or_ml, forKey: .quantity_g_or_ml)
        }
    }

    private struct Assessed: Encodable {
        var id: String
        var assessment: IngredientAssessment

        enum CodingKeys: CodingKey { case id }

        func encode(to encoder: any Encoder) throws {
            try assessment.encode(to: encoder)
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
        }
    }

    private let kind: Kind
    private let risk: RiskInterpreter
    private let circumstances: RiskInterpreter.Circumstances
    private let finder: AdditiveFinder

    /// - Parameter circumstances: for cases that do not state their own.
    package init(_ kind: Kind, _ risk: RiskInterpreter, _ circumstances: RiskInterpreter.Circumstances = .init()) {
        self.kind = kind
        self.risk = risk
        self.circumstances = circumstances
        finder = AdditiveFinder(risk.release)
    }

    /// The answer to one line, without a line break.
    /// - Returns: the JSON, and why the case could not be answered.
    package func answer(to line: Data) -> (json: Data, failure: String?) {
        let one: Case
        do { one = try JSONDecoder().decode(Case.self, from: line) } catch {
            let detail = "the line is no case {id, language, ingredients_text, …}: \(Self.brief(error))"
            return (Self.encoded(["error": detail]), detail)
        }
        return (answer(to: one), nil)
    }

    private static func brief(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        return switch error {
        case .keyNotFound(let key, _): "no \(key.stringValue)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) \(context.debugDescription)"
        @unknown default: "not readable"
        }
    }

    private static func encoded(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite fails, and every number here is checked.
        return (try? encoder.encode(value)) ?? Data("{}".utf8)
    }

    private func answer(to one: Case) -> Data {
        let text = one.ingredients_text ?? one.text ?? ""
        let language = one.language ?? circumstances.language
        switch kind {
        case .assessment:
            var own = circumstances
            own.language = language
            own.jurisdiction = one.jurisdiction ?? circumstances.jurisdiction
            own.date = one.date ?? circumstances.date
            own.nutrition = one.per100 ?? circumstances.nutrition
            own.category = one.category ?? circumstances.category
            own.flags = one.flags ?? circumstances.flags
            own.categories = one.categories ?? circumstances.categories
            own.bodyWeight =
                one.body_weight_kg.flatMap { (1...500).contains($0) ? $0 : nil } ?? circumstances.bodyWeight
            own.portion = one.portion_g.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? circumstances.portion
            return Self.encoded(Assessed(id: one.id, assessment: risk.assessment(ofText: text, own)))
        case .nutriscore:
            let score = one.per100.flatMap {
                risk.nutriScore.score(of: $0, one.category ?? .general, one.flags ?? .init())
            }
            return Self.encoded(
                Answer(
                    id: one.id, score: score?.score, grade: score?.grade,
                    reason: score == nil ? "nutrition incomplete" : nil))
        case .nova:
            let group = risk.nova.group(of: text, language: language, categories: one.categories ?? [])
            return Self.encoded(Answer(id: one.id, nova_group: group.group, markers: group.markers))
        case .additives:
            return Self.encoded(Answer(id: one.id, additives: finder.additives(in: text, language: language)))
        case .amounts:
            let printed = one.text ?? ""
            let amount = one.task == "quantity" ? ServingText.quantity(printed) : ServingText.serving(printed)
            return Self.encoded(
                AmountAnswer(id: one.id, quantity_g_or_ml: amount.map { ($0.value as NSDecimalNumber).doubleValue }))
        }
    }
}
