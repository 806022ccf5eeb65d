import Foundation
import TestSupport
import Testing

/// A command without a name of its own is named after its type, and `String(describing:)` of a type looks for protocol
/// conformances in every image of the program. That took a quarter of the start of `scan --help`.
@Suite struct CommandNameTests {
    @Test func `every command of the program names itself`() throws {
        let folder = Repository.root.appending(path: "Sources/Programs/tablesight")
        var commands = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            commands += text.matches(of: /struct \w+: (?:Async)?ParsableCommand/).count
            for part in text.split(separator: "CommandConfiguration(").dropFirst() {
                #expect(
                    part.drop { $0.isWhitespace }.hasPrefix("commandName:"), "\(file): \(part.prefix(60))")
            }
        }
        #expect(commands > 60, "the commands were found")
    }
}
