import Core
import Foundation
import Foods
import TestSupport

/// The release of the repository, loaded once for all tests.
enum Shipped {
    static let models = ModelFolder(Repository.models)
    static let loaded = Result { try RiskInterpreter(models: models) }
    static let filesLoaded = Result { try EvidenceRelease.Files(from: models) }

    static var risk: RiskInterpreter { get throws { try loaded.get() } }
    static var files: EvidenceRelease.Files { get throws { try filesLoaded.get() } }

    /// Every sentence of an assessment, each with the references that it has.
    static func sentences(of assessment: IngredientAssessment) -> [(text: String, citations: [Int])] {
        assessment.ingredients.flatMap { one -> [(String, [Int])] in
            one.statements.map { ($0.text, $0.citations) }
                + one.health_risks.map { text in
                    (text, one.statements.first { $0.text == text }?.citations ?? [])
                } + (one.dose.map { [($0.text, $0.citations)] } ?? [])
                + (one.overview.map { [($0, one.citations)] } ?? [])
                + (one.statements.isEmpty ? [] : [(one.risk, one.statements[0].citations)])
        }
    }
}

/// The words that no sentence may have, whatever it is about.
enum Forbidden {
    private static var words: Regex<(Substring, Substring)> {
        /(?i)\b(toxic|poison\w*|safe|harmless|banned in europe|giftig|unbedenklich|ungefährlich|sicher für)\b/
    }

    static func found(in text: String) -> String? { text.firstMatch(of: words).map { String($0.0) } }
}

/// Numbers that look random and are the same in every run.
struct FixedRandom: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
