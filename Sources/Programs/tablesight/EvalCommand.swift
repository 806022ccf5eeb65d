import Allergens
import ArgumentParser
import Engine
import Foundation
import Core

struct EvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Scores verdicts against declared allergens.",
        help: """
            Reads *.jsonl and *.ndjson, one case per line: {"id","language","regime","kind","text","contains":["milk"],
            "mayContain":["nuts"],"covered":["milk","nuts"]}. A case without "contains" is skipped. The file name is the
            group, such as an operator. With several groups, "left out" states the calibration error of each group by
            tables that are fitted to the other groups.

            EXAMPLES
              tablesight eval cases/ --picture reliability.svg             print scores, draw the reliability table
              tablesight eval cases/ --uncalibrated --pairs pairs.ndjson   write the input of scripts/fit-calibration
            """)

    @Argument(help: "Files with cases, or folders of such files.")
    var paths: [String]

    @Option(help: "SVG file for the reliability table.")
    var picture: String?

    @Option(help: "File for each finding's probability and whether it was right, one JSON object per line.")
    var pairs: String?

    @Flag(help: "Use strengths without the calibration tables.")
    var uncalibrated = false

    func run() throws {
        let interpreter = try TablesightEngine().allergens(isCalibrated: !uncalibrated)
        let judge = try TextJudge(interpreter, language: nil, regime: nil, profile: nil)
        let files = try paths.flatMap(Self.files)
        guard !files.isEmpty else { throw StartupError(.noInput, "no .jsonl file in \(paths.joined(separator: ", "))") }
        var whole = AllergenEvaluation()
        var failed = false
        var lines = [
            "group                    cases  recall  precision  recall at precision .80  calibration error  usefulness  "
                + "false reassurance"
        ]
        for file in files {
            let group = file.deletingPathExtension().lastPathComponent
            var own = AllergenEvaluation()
            let text = try String(contentsOf: file, encoding: .utf8)
            for (number, line) in text.split(separator: "\n").enumerated() {
                guard let one = try? JSONDecoder().decode(AllergenEvaluation.Case.self, from: Data(line.utf8)) else {
                    StandardError.write("tablesight: \(file.path) line \(number + 1): not a case, skipped\n")
                    failed = true
                    continue
                }
                let judgement = try judge.judgement(
                    of: .init(
                        id: .text(one.id), language: one.language, regime: one.regime, kind: one.kind, text: one.text,
                        house: one.house))
                own.add(one, judgement, group: group)
                whole.add(one, judgement, group: group)
            }
            lines.append(Self.row(group, own))
        }
        lines.append(Self.row("all", whole))
        for one in whole.falseReassurances { lines.append("false reassurance: \(one.id) \(one.allergen.rawValue)") }
        for (strength, table) in whole.reliability {
            lines.append("\(strength.rawValue): \(table.count) findings, calibration error \(Self.text(table.error))")
            for (number, bin) in table.bins.enumerated() where bin.count > 0 {
                lines.append(
                    "  .\(number)–  \(bin.count) findings  predicted \(Self.text(bin.mean))  observed \(Self.text(bin.share))"
                )
            }
        }
        let leftOut = LeftOutCalibration.applied(to: whole.pairs)
        lines += leftOut.map(Self.leftOutRows) ?? []
        try StandardOutput.write(lines.joined(separator: "\n") + "\n")
        if let picture {
            let diagram = ReliabilityDiagram(
                whole.reliability, leftOut: leftOut.map(AllergenEvaluation.reliability(of:)) ?? [])
            try Data(diagram.svg.utf8).write(to: URL(filePath: picture))
        }
        if let pairs {
            var data = Data()
            for pair in whole.pairs { data.append(try JSONCoding.encode(pair) + [0x0A]) }
            try data.write(to: URL(filePath: pairs))
        }
        if failed { throw ExitCode.someFailed }
    }

    private static func files(_ path: String) throws -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw StartupError(.noInput, "\(path) does not exist: name a folder or a file of cases")
        }
        guard isFolder.boolValue else { return [URL(filePath: path)] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        return names.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".ndjson") }.map {
            URL(filePath: path).appending(path: $0)
        }
    }

    private static func row(_ name: String, _ one: AllergenEvaluation) -> String {
        let figures = [
            one.recall, one.precision, one.recall(atPrecision: 0.8), one.verdicts.count > 0 ? one.verdicts.error : nil,
            one.usefulness,
        ].map { $0.map(text) ?? "–" }
        return
            ([name.padding(toLength: 24, withPad: " ", startingAt: 0), "\(one.cases)"] + figures
            + ["\(one.falseReassurances.count)"]).joined(separator: "  ")
    }

    /// The calibration error of each strength, and of each group's dish knowledge, by tables of the other groups.
    private static func leftOutRows(_ pairs: [AllergenEvaluation.Pair]) -> [String] {
        var lines = AllergenEvaluation.reliability(of: pairs).map { strength, table in
            "left out, \(strength.rawValue): \(table.count) findings, calibration error \(text(table.error))"
        }
        for group in Set(pairs.map(\.group)).sorted() {
            let own = pairs.filter { $0.group == group && $0.strength == .dishKnowledge }
            guard !own.isEmpty else { continue }
            let table = ReliabilityTable(own.map { ($0.probability, $0.holds) })
            lines.append(
                "left out, \(AllergenFinding.Strength.dishKnowledge.rawValue), \(group): \(table.count) findings, "
                    + "calibration error \(text(table.error))")
        }
        return lines
    }

    private static func text(_ value: Double) -> String { String(format: "%.3f", value) }
}
