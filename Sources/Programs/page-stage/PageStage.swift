import Allergens
import Core
import Foundation
import Kinds
import Risk

/// Judging alone as a program, for measurement and for comparing two builds: readings in, outcomes out, one
/// JSON object per line.
@main
enum PageStage {
    static let usage = """
        page-stage read [--as DOMAIN]      outcomes of `tablesight scan` on stdin → the outcome of each, interpreted again
        page-stage evidence                outcomes on stdin → what the kind of each is decided from
        page-stage texts                   cases on stdin → findings, verdicts and assessment of each text
        page-stage time [--times N] [--only STEP] [--as DOMAIN]
                                           outcomes on stdin → milliseconds of processor time by step

        A case is {"id", "text", "kind", "language"?}. A STEP is decode, page, interpret or encode; page is the
        allergens of the text alone, best of N. Options: --models DIR (default: the checkout's).
        """

    /// The part of an outcome that interpretation starts from.
    struct Photo: Decodable {
        struct Source: Decodable { var path: String }
        var source: Source
        var readings: Readings
    }

    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("page-stage: \(error)\n".utf8))
            exit(65)
        }
    }

    private static func run(_ arguments: [String]) throws {
        func option(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        guard let command = arguments.first, ["read", "evidence", "texts", "time"].contains(command) else {
            print(usage)
            exit(arguments.first == "--help" ? 0 : 64)
        }
        let folder =
            try option("--models").map { ModelFolder(URL(filePath: $0)) }
            ?? ModelFolder.locate(program: URL(filePath: CommandLine.arguments[0]))
        let stage = try StageSteps(models: folder, domain: option("--as").flatMap(Outcome.Domain.init))
        var lines: [Data] = []
        while let line = readLine() { if !line.isEmpty { lines.append(Data(line.utf8)) } }
        switch command {
        case "read": for line in lines { try write(stage.outcome(of: stage.photo(line))) }
        case "evidence": for line in lines { try write(stage.evidence(of: stage.photo(line))) }
        case "texts": for line in lines { try write(stage.answer(to: line)) }
        default:
            try stage.time(lines, times: option("--times").flatMap(Int.init) ?? 20, only: option("--only"))
        }
    }

    private static func write(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONCoding.encode(value) + Data("\n".utf8))
    }
}
