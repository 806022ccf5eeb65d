import ArgumentParser
import Core
import Dispatch
import Engine
import Foundation
import Foods
import Synchronization

struct AssessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assess",
        abstract: "Says what is on file about ingredients, with references.",
        help: """
            Reads the photo of a label, or standard input. Text on standard input is one ingredient list. If its first
            character is {, each line is a case, {"id","language","ingredients_text","per100","jurisdiction"}, and each
            case gets one line of output, in the same order.

            Every sentence comes from a record with a reference. An ingredient without a record is listed as "no
            evidence on file". Amounts are rarely on the label, and no sentence is advice.

            EXAMPLES
              tablesight assess label.jpg                                   a photo
              echo "Pork, salt, sodium nitrite" | tablesight assess          a text
              tablesight assess --format json < label.txt                   the assessment as JSON
              tablesight assess --task additives < cases.ndjson             E-numbers only, one answer per line
            """)

    @Argument(help: "Photo of a label (default: standard input).")
    var photo: String?

    @Option(help: "Answer cases of one kind: nutriscore, nova, additives or amounts.")
    var task: AssessmentTask.Kind?

    @Option(help: "Language of the text: en, de, fr, … (default: any).")
    var language: String?

    @Option(help: "Jurisdiction whose law decides (default: that of the person's regime; none for text).")
    var jurisdiction: Jurisdiction?

    @Option(help: "Day of the reading, yyyy-MM-dd, for law that applies from a day (default: day of the release).")
    var date: String?

    @Option(help: "Language of the sentences.")
    var reader = AssessmentLanguage.en

    @Option(help: "Body weight in kg, for the share of a daily value where the label states the amount.")
    var bodyWeight: Double?

    @Option(help: "Grams or millilitres eaten, for the same share (default: 100).")
    var portion: Double?

    @Flag(help: "Also show records that no curator verified. For curators only.")
    var includeUnverified = false

    @OptionGroup var reading: ReadingOptions

    @Option(help: "Output format: json (one object) or text (a summary).")
    var format = OutcomeFormat.text

    func validate() throws {
        if let date, date.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) == nil {
            throw ValidationError("the date must be yyyy-MM-dd")
        }
        if let bodyWeight, !(1...500).contains(bodyWeight) {
            throw ValidationError("the body weight must be 1 to 500 kg")
        }
        if let portion, !(1...10_000).contains(portion) { throw ValidationError("the portion must be 1 to 10,000 g") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        let risk =
            includeUnverified
            ? try RiskInterpreter(models: engine.models, includesUnverified: true) : try engine.risk()
        let circumstances = RiskInterpreter.Circumstances(
            language: language, jurisdiction: jurisdiction?.rawValue, date: date, reader: reader.rawValue,
            bodyWeight: bodyWeight, portion: portion)
        if let photo {
            guard task == nil else { throw ValidationError("a task reads cases on standard input, no photo") }
            return try await assess(photo, risk, circumstances, engine)
        }
        var input = InputLines()
        guard let first = input.firstPrintedByte() else {
            throw StartupError(.noInput, "standard input is empty: name a photo, or pipe in a text or cases")
        }
        if task != nil || first == UInt8(ascii: "{") {
            return try answer(&input, AssessmentTask(task ?? .assessment, risk, circumstances))
        }
        guard let text = String(data: input.rest(), encoding: .utf8) else {
            throw StartupError(.badInput, "standard input is not UTF-8: convert it with iconv")
        }
        try show(risk.assessment(ofText: text, circumstances), risk)
    }

    private func show(_ assessment: IngredientAssessment, _ risk: RiskInterpreter) throws {
        switch format {
        case .json: try StandardOutput.writeLine(assessment)
        case .text:
            let lines = AssessmentText(assessment, risk.release).lines
            try StandardOutput.write(lines.map(\.printable).joined(separator: "\n") + "\n")
        }
    }

    private func assess(
        _ photo: String, _ risk: RiskInterpreter, _ circumstances: RiskInterpreter.Circumstances,
        _ engine: TablesightEngine
    ) async throws {
        guard let path = FilePathBytes(photo) else { throw ValidationError("a file name must not be empty") }
        var request = try reading.request(engine)
        request.domain = .label
        let outcome = try await reading.processor(engine, workers: 1).outcome(for: path, request)
        outcome.reportIfFailed()
        guard let label = outcome.label, !label.ingredients.isEmpty else {
            if outcome.isFailure { throw ExitCode.someFailed }
            throw StartupError(.badInput, "\(photo) shows no ingredient list that could be read")
        }
        // The outcome's own assessment, unless an option asks for another one.
        if circumstances == .init(), !includeUnverified, let own = label.assessment { return try show(own, risk) }
        var circumstances = circumstances
        circumstances.language = circumstances.language ?? outcome.readings.text?.languages.first
        circumstances.jurisdiction = circumstances.jurisdiction ?? label.assessment?.jurisdiction
        let unread = Set((label.assessment?.not_read ?? []).flatMap { Folding.words(of: $0.name) })
        try show(risk.assessment(of: label.ingredients, unread: unread, circumstances), risk)
    }

    /// Answers lines in parallel, in their order.
    private func answer(_ input: inout InputLines, _ task: AssessmentTask) throws {
        var failed = false
        var number = 0
        while let lines = input.lines() {
            let answers = Mutex([(json: Data, failure: String?)?](repeating: nil, count: lines.count))
            let share = 64
            let parts = stride(from: 0, to: lines.count, by: share).map { $0..<min(lines.count, $0 + share) }
            DispatchQueue.concurrentPerform(iterations: parts.count) { part in
                let own = parts[part].map { line in
                    lines[line].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
                        ? nil : Optional(task.answer(to: lines[line]))
                }
                answers.withLock { $0.replaceSubrange(parts[part], with: own) }
            }
            var output = Data()
            for (offset, answer) in answers.withLock({ $0 }).enumerated() {
                guard let answer else { continue }
                output += answer.json
                output.append(0x0A)
                guard let failure = answer.failure else { continue }
                StandardError.write("tablesight: line \(number + offset + 1): \(failure)\n")
                failed = true
            }
            try StandardOutput.write(output)
            number += lines.count
        }
        if failed { throw ExitCode.someFailed }
    }
}

extension AssessmentTask.Kind: ExpressibleByArgument {}
extension Jurisdiction: ExpressibleByArgument {}
extension AssessmentLanguage: ExpressibleByArgument {}
