import ArgumentParser
import Core
import Foundation

/// Stages of the program alone, for training and measurement: lines of JSON on stdin, lines of JSON on stdout.
@main
struct TablesightStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tablesight-stage",
        abstract: "Runs one stage of the program alone, for training and measurement.",
        discussion: """
            Standard input has one JSON object per line: a case, or an outcome of tablesight scan or batch, whose \
            readings are judged again.

              tablesight batch photos --out read.ndjson
              tablesight-stage page read < read.ndjson
            """,
        subcommands: [
            MenuStage.self, DishStage.self, DocumentStage.self, RiskStage.self, PageStage.self,
            VocabularyStage.self,
        ])

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let error as StartupError {
            FileHandle.standardError.write(Data("tablesight-stage: \(error.message)\n".utf8))
            Foundation.exit(error.exitCode.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

struct ModelOption: ParsableArguments {
    @Option(help: "The folder of the models (default: the checkout's).") var models: String?

    func folder() throws -> ModelFolder {
        try models.map { ModelFolder(URL(filePath: $0)) }
            ?? ModelFolder.locate(program: URL(filePath: CommandLine.arguments[0]))
    }
}

struct TimesOption: ParsableArguments {
    @Option(help: "Passes over the input.") var times = 1

    func validate() throws {
        guard (1...1_000_000).contains(times) else { throw ValidationError("--times is a number from 1 to 1,000,000.") }
    }
}

enum Lines {
    /// Calls a closure with each line that is not empty.
    ///
    /// - Throws: what the closure throws; ``StartupError`` (65) with the line's number for one that cannot be decoded.
    static func forEach(_ body: (Data) throws -> Void) throws {
        var number = 0
        while let line = readLine() {
            number += 1
            guard !line.isEmpty else { continue }
            do { try body(Data(line.utf8)) } catch let error as DecodingError {
                throw StartupError(.badInput, "line \(number) of the input: \(error)")
            }
        }
    }

    static func all<Value: Decodable>(of type: Value.Type) throws -> [Value] {
        var values: [Value] = []
        try forEach { values.append(try JSONCoding.decode(type, from: $0)) }
        return values
    }

    static func write(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONCoding.encode(value) + Data("\n".utf8))
    }
}

extension Duration {
    var milliseconds: Double { Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15 }
}
