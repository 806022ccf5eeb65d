import Foundation
import Layout
import Menus
import Core

/// The menu stage as a program, for training and measurement: pages in, features out, one JSON object per line.
@main
enum MenuStage {
    static let usage = """
        menu-stage rows [--model FILE]         pages on stdin → features of each text
        menu-stage letters                     texts on stdin, one per line → buckets of the letters' model
        menu-stage read --model FILE           pages on stdin → menus and scores of each page
        menu-stage time --model FILE [--times N]  pages on stdin → milliseconds per page, without JSON coding

        A page is {"id", "lines": […]} or an outcome of `tablesight scan`. Options: --models DIR (default: the checkout's),
        --no-cut, --no-join, --strong-prices (switch parts off or on to measure them).
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch let error as StartupError {
            FileHandle.standardError.write(Data("menu-stage: \(error.message)\n".utf8))
            exit(error.exitCode.rawValue)
        } catch {
            FileHandle.standardError.write(Data("menu-stage: \(error)\n".utf8))
            exit(65)
        }
    }

    private static func run(_ arguments: [String]) throws {
        let options = StageOptions(arguments)
        guard let command = arguments.first, ["rows", "letters", "read", "time"].contains(command) else {
            print(usage)
            exit(arguments.first == "--help" ? 0 : 64)
        }
        let program = URL(filePath: CommandLine.arguments[0])
        let folder =
            try options["--models"].map { ModelFolder(URL(filePath: $0)) } ?? ModelFolder.locate(program: program)
        let words = try MenuWords(from: folder)
        let amounts = try AmountWords(from: folder)
        let model = try options["--model"].map { try RoleModel(contentsOf: URL(filePath: $0)) }
        let stage = StageCommands(words: words, amounts: amounts, model: model, options: options)
        switch command {
        case "rows": try stage.rows()
        case "letters": stage.letters()
        case "read": try stage.read()
        default: try stage.time()
        }
    }
}

/// Parses `--name value` and `--flag`.
struct StageOptions {
    private let arguments: [String]
    init(_ arguments: [String]) { self.arguments = arguments }

    subscript(_ name: String) -> String? {
        guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
        return arguments[place + 1]
    }

    func has(_ name: String) -> Bool { arguments.contains(name) }

    var layout: PageLayout.Options {
        var options = PageLayout.Options()
        options.cutsAtGaps = !has("--no-cut")
        options.joinsSegments = !has("--no-join")
        options.usesPageForms = !has("--strong-prices")
        return options
    }
}
