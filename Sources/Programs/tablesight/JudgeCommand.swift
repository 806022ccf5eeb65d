import Allergens
import ArgumentParser
import Documents
import Engine
import Foundation
import Kinds
import Core

struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Finds the allergens that a text names.",
        help: """
            Reads a file, or standard input, as one text. If its first character is {, each line is a case,
            {"id","language","regime","kind":"label|dish|menuLine","text"}. Each case gets one line of output, in the
            same order.

            EXAMPLES
              echo "Zutaten: Mehl, Butter, Salz." | tablesight judge --language de    a German text
              tablesight judge --regime us9 --format json < label.txt                 US allergens, JSON output
              tablesight judge < cases.ndjson > answers.ndjson                        many cases
              tablesight judge --why oats --language en                               why a word names what it names
              tablesight judge --kind receipt < receipt.txt                           a receipt's shop, date, items and total
            """)

    @Argument(help: "Text file; - or nothing for standard input.")
    var file = StandardInput.name

    @Option(help: "Language of the text: en, de, fr, … (default: detect).")
    var language: String?

    @Option(help: "Allergen regime of models/regimes (default: eu14).")
    var regime: String?

    @Option(
        help:
            "Person to judge for: stored, a file, or in models/profiles; household: all stored people (default: every allergen of the regime; for receipts and price tags household, or everyone where nobody is stored)."
    )
    var profile: String?

    @OptionGroup var database: DatabaseOption

    @Option(help: "Output language of a single text's verdicts: en, de, fr, …")
    var reader: String?

    /// What the text is.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case label, dish, menuLine, receipt, nutrition, priceTag, dates

        /// Nil for a document, of which only the names of products are judged.
        var allergenKind: AllergenInterpreter.TextKind? { AllergenInterpreter.TextKind(rawValue: rawValue) }
    }

    @Option(help: "Kind of text: label, dish, menuLine, receipt, nutrition, priceTag or dates.")
    var kind = Kind.label

    @Option(help: "Print the sources of what these words name, and read no text.")
    var why: String?

    @Option(help: "Output format: json (one object) or text (a summary).")
    var format = OutcomeFormat.text

    @Option(help: "Number of threads for cases (default: all cores).")
    var threads: Int?

    func run() throws {
        if file != StandardInput.name { try StandardInput.replace(with: file) }
        let engine = try TablesightEngine()
        if kind.allergenKind == nil { return try readDocument(engine) }
        let interpreter = try engine.allergens()
        if let language, language != "und",
            Locale.LanguageCode(language.prefix { $0 != "-" }.lowercased()).isISOLanguage == false
        {
            throw StartupError(
                .usage,
                "no lexicon for the language \(language): use one of \(interpreter.languages.joined(separator: ", "))")
        }
        if let why { return try explain(why, interpreter, engine) }
        let people = try profile.map { try database.people(engine).profiles(named: [$0]) }
        let judges = try (people.map { $0.map(Optional.some) } ?? [nil]).map { person in
            (person, try TextJudge(interpreter, language: language, regime: regime, profile: person))
        }
        var input = InputLines()
        guard let first = input.firstPrintedByte() else {
            throw StartupError(.noInput, "standard input is empty: pipe in a text, or cases, one per line")
        }
        if first == UInt8(ascii: "{") {
            guard let judge = judges.first?.1, judges.count == 1 else {
                throw StartupError(.usage, "cases are judged for one person: name only one with --profile")
            }
            try answerCases(&input, judge)
        } else {
            guard let text = String(data: input.rest(), encoding: .utf8) else {
                throw StartupError(.badInput, "standard input is not UTF-8: convert it with iconv")
            }
            for (person, judge) in judges {
                try answer(text, judge, person, isOneOfMany: judges.count > 1, try wording(for: person, engine))
            }
        }
    }

    private func explain(_ words: String, _ interpreter: AllergenInterpreter, _ engine: TablesightEngine) throws {
        let sources = try VocabularySources(models: engine.models)
        let found = interpreter.explanations(of: words, language: language, sources: sources)
        guard format == .text else { return try StandardOutput.writeLine(found) }
        let lines = found.flatMap { one in
            let forms = one.forms.isEmpty ? "" : ", a form of \(one.forms.joined(separator: ", "))"
            return ["\(one.words): \(one.allergen) (\(one.language), \(one.method)\(forms))"]
                + (one.sources + one.exemptions.map { "exempt in \($0)" }).map { "  \($0)" }
        }
        try StandardOutput.write((lines.isEmpty ? ["names no allergen"] : lines).joined(separator: "\n") + "\n")
    }

    /// Interprets a receipt, a nutrition table, a price tag or dates. The names of products have verdicts.
    private func readDocument(_ engine: TablesightEngine) throws {
        var input = InputLines()
        guard input.firstPrintedByte() != nil else {
            throw StartupError(.noInput, "standard input is empty: pipe in a text")
        }
        guard let text = String(data: input.rest(), encoding: .utf8) else {
            throw StartupError(.badInput, "standard input is not UTF-8: convert it with iconv")
        }
        let reader = try engine.documents()
        let page = reader.page(ofText: text)
        let shown = DocumentText(try wording(for: nil, engine))
        let people = try database.people(engine).judged(named: [profile].compactMap(\.self))
        let words = OutcomeText(for: people, try engine.wordings())
        func write(_ value: some Encodable, _ lines: [String]) throws {
            switch format {
            case .json: try StandardOutput.writeLine(value)
            case .text: try StandardOutput.write(lines.map { $0 + "\n" }.joined())
            }
        }
        switch kind {
        case .receipt:
            var receipt = reader.receipt(from: page)
            try engine.allergens().judge(&receipt, for: people)
            try write(receipt, words.lines(of: receipt))
        case .nutrition:
            let nutrition = reader.nutrition(from: page) ?? Nutrition()
            try write(nutrition, shown.lines(of: nutrition))
        case .priceTag:
            var tag = reader.priceTag(from: page, barcodes: [])
            try engine.allergens().judge(&tag, for: people)
            try write(tag, words.lines(of: tag))
        case .dates:
            let dates = reader.dates(from: page)
            try write(["dates": dates], shown.lines(of: dates))
        case .label, .dish, .menuLine: break
        }
    }

    private func answerCases(_ input: inout InputLines, _ judge: TextJudge) throws {
        let threads = max(1, threads ?? ProcessInfo.processInfo.activeProcessorCount)
        var failed = false
        var line = 0
        while let lines = input.lines() {
            let (output, failures) = judge.answers(to: lines, threads: threads)
            try StandardOutput.write(output)
            for failure in failures {
                StandardError.write("tablesight: line \(line + failure.line + 1): \(failure.detail)\n")
            }
            failed = failed || !failures.isEmpty
            line += lines.count
        }
        if failed { throw ExitCode.someFailed }
    }

    private func wording(for person: AllergenProfile?, _ engine: TablesightEngine) throws -> Wording {
        let all = try engine.wordings()
        guard let reader else { return all.wording(for: person) }
        guard let wording = all[reader] else {
            throw StartupError(
                .usage,
                "no texts in the language \(reader) (available: \(all.languages.joined(separator: ", ")))"
                    + Suggestion.text(for: reader, among: all.languages))
        }
        return wording
    }

    private func answer(
        _ text: String, _ judge: TextJudge, _ person: AllergenProfile?, isOneOfMany: Bool, _ wording: Wording
    ) throws {
        let judgement = try judge.judgement(of: .init(id: "text", kind: kind.allergenKind ?? .label, text: text))
        switch format {
        case .json where isOneOfMany:
            try StandardOutput.writeLine(ForPerson(profile: person?.name ?? "", judgement: judgement))
        case .json: try StandardOutput.writeLine(judgement)
        case .text:
            if isOneOfMany, let person { try StandardOutput.write("\(person.name.printable)\n") }
            try StandardOutput.write(JudgementText(judgement, wording).lines.joined(separator: "\n") + "\n")
        }
    }

    /// One verdict line of a household.
    private struct ForPerson: Encodable {
        var profile: String
        var judgement: TextJudgement

        private enum CodingKeys: String, CodingKey { case profile }

        func encode(to encoder: any Encoder) throws {
            try judgement.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(profile, forKey: .profile)
        }
    }
}
