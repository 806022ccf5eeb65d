import Allergens
import Core
import Foundation
import Kinds
import Foods

/// The steps from a stored reading to an outcome, each alone.
struct PageSteps {
    private let interpreter: Interpreter
    private let allergens: AllergenInterpreter
    private let risk: RiskInterpreter
    private let judge: TextJudge
    private let domain: Outcome.Domain?

    /// Two people under different laws, one with a word of their own, so that outcomes hold every kind of verdict.
    private let profiles: [AllergenProfile]

    init(_ option: ModelOption, _ kind: PageStage.Kind? = nil) throws {
        let models = try option.folder()
        allergens = try AllergenInterpreter(models: models)
        risk = try RiskInterpreter(models: models)
        interpreter = try Interpreter(models: models, allergens: allergens, risk: risk)
        judge = try TextJudge(allergens, language: nil, regime: nil, profile: nil)
        let everyone = try AllergenProfile.shipped(named: "everyone", in: models)
        let american = AllergenProfile(
            name: "american", regime: "us9", allergens: [.milk: .severe, .sesame: .mild], words: ["kiwi"])
        profiles = [everyone, american]
        domain = try kind?.domain.map { name in
            guard let domain = Outcome.Domain(rawValue: name) else {
                throw StartupError(.usage, "there is no kind \(name): use one of tablesight scan --as")
            }
            return domain
        }
    }

    func photo(_ line: Data) throws -> PageStage.Photo { try JSONCoding.decode(PageStage.Photo.self, from: line) }

    /// - Throws: if the photo has no path.
    func outcome(of photo: PageStage.Photo) throws -> Outcome {
        let image = ReadAnswer.ImageFacts(format: "jpeg", width: 1, height: 1, orientation: 1)
        return interpreter.judge(
            ReadAnswer(image: image, readings: photo.readings), of: try facts(of: photo), as: domain, for: profiles)
    }

    private func facts(of photo: PageStage.Photo) throws -> PhotoFacts {
        guard let path = FilePathBytes(photo.source.path) else {
            throw StartupError(.usage, "a photo has an empty source.path")
        }
        return PhotoFacts(path: path, id: nil, bytes: 0)
    }

    /// The evidence of all kinds on one photo, by name; empty without text.
    struct Evidence: Encodable {
        var path: String
        var evidence: [String: Double]
        var claims: [String: [String: Double]]
    }

    func evidence(of photo: PageStage.Photo) throws -> Evidence {
        let found = interpreter.evidence(in: photo.readings, of: try facts(of: photo))
        return Evidence(path: photo.source.path, evidence: found?.features ?? [:], claims: found?.claims ?? [:])
    }

    /// What the program says of one text.
    struct Answer: Encodable {
        var id: CaseID
        var judgement: TextJudgement
        /// Nil for a dish.
        var assessment: IngredientAssessment?
    }

    func answer(to line: Data) throws -> Answer {
        let one = try JSONCoding.decode(TextJudge.Case.self, from: line)
        let isLabel = (one.kind ?? .label) == .label
        return Answer(
            id: one.id, judgement: try judge.judgement(of: one),
            assessment: isLabel ? risk.assessment(ofText: one.text, .init(language: one.language)) : nil)
    }

    /// Prints the mean and the best processor time of each step, over all pages and for each page.
    func time(_ lines: [Data], times: Int, only: String?) throws {
        for (number, line) in lines.enumerated() {
            let photo = try photo(line)
            let outcome = try outcome(of: photo)
            var report = "\(number) \(photo.readings.text?.lines.count ?? 0) lines"
            func measure(_ name: String, _ body: () throws -> Void) rethrows {
                guard only == nil || only == name else { return }
                var (sum, best) = (0.0, Double.infinity)
                for _ in 0..<times {
                    let start = Self.milliseconds()
                    try body()
                    let spent = Self.milliseconds() - start
                    (sum, best) = (sum + spent, min(best, spent))
                }
                report += ", \(name) \(Self.rounded(sum / Double(times))) (best \(Self.rounded(best)))"
            }
            try measure("decode") { _ = try self.photo(line) }
            measure("page") { _ = photo.readings.text.map { allergens.text(of: $0, profiles: profiles) } }
            try measure("interpret") { _ = try self.outcome(of: photo) }
            try measure("encode") { _ = try JSONCoding.encode(outcome) }
            print(report)
        }
    }

    /// Processor time of this process, milliseconds.
    private static func milliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
