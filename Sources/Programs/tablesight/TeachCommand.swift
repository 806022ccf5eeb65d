import ArgumentParser
import Daemon
import Foundation
import Core

/// `tablesight pieces teach`: a piece set from two photos.
struct TeachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach",
        abstract: "Makes a piece set from two photos: the empty table, and the set laid out on it.",
        discussion: """
            Take both with one camera from one place, straight down, and lay the pieces apart. Tiles with letters or numerals
            are laid as they are read; --names says what they are, in reading order (numerals become values). Outlines of three
            or four corners and discs are learned, their colours where they differ, and the faces of tiles.

            EXAMPLES
              tablesight pieces teach --set blocks --longest-mm 70 --empty table.jpg --laid-out blocks.jpg
              tablesight pieces teach --set runes --longest-mm 25 --names A,B,C,D --empty table.jpg --laid-out runes.jpg
              tablesight pieces board.jpg --set runes
            """)

    @Option(help: "What the set is to be called: small letters, digits and hyphens.")
    var set: String

    @Option(help: "The photo of the empty table.")
    var empty: String

    @Option(help: "The photo of the set laid out.")
    var laidOut: String

    @Option(help: "Longest edge (or diameter) of the largest piece, millimetres.")
    var longestMM = 50.0

    @Option(help: "Names of the pieces or faces in reading order, commas between.")
    var names: String?

    @Option(help: "The file to write; models/piece-sets/SET.json without it.")
    var out: String?

    func validate() throws {
        guard set.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,40}/) != nil else {
            throw ValidationError("--set must be small letters, digits and hyphens, at most 41")
        }
        guard (1...2000).contains(longestMM) else { throw ValidationError("--longest-mm must be 1 to 2000") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        let file = out.map { URL(filePath: $0) } ?? engine.models.url.appending(path: "piece-sets/\(set).json")
        // A shipped set, or one that was taught, is not written over by a slip.
        guard !FileManager.default.fileExists(atPath: file.path) else {
            throw StartupError(.usage, "\(file.path) exists: choose another --set or --out, or remove it")
        }
        guard let emptyPath = FilePathBytes(empty), let laidOutPath = FilePathBytes(laidOut) else {
            throw StartupError(.usage, "a path has no bytes")
        }
        let processor = try engine.processor(workers: 1)
        let text: String
        do throws(ItemFailure) {
            text = try await processor.teach(
                TeachingRequest(
                    set: set, longestMM: longestMM, names: names?.split(separator: ",").map(String.init) ?? []),
                empty: emptyPath, laidOut: laidOutPath)
        } catch {
            StandardError.write("tablesight: \(error.detail) (\(error.code.rawValue)); \(error.hint)\n")
            throw ExitCode.someFailed
        }
        do { try Data(text.utf8).write(to: file, options: .atomic) } catch {
            throw StartupError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
        }
        print(file.path)
    }
}
