import ArgumentParser
import Engine
import Foundation
import Core

struct TeachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach",
        abstract: "Learns a piece set from two photos: the empty table, and the pieces laid out on it.",
        help: """
            Take both photos with the same camera from the same place, straight from above. Lay the pieces apart. Lay
            tiles with letters or numerals upright and name them with --names in reading order (numerals become values).
            Learned are discs, outlines with three or four corners, their colours if these differ, and faces of tiles.

            EXAMPLES
              tablesight pieces teach --set blocks --longest-mm 70 --empty empty.jpg --laid-out blocks.jpg
              tablesight pieces teach --set runes --longest-mm 25 --names A,B,C,D --empty empty.jpg --laid-out runes.jpg
              tablesight pieces runes.jpg --set runes
            """)

    @Option(help: "Name of the set: lower-case letters, digits and hyphens.")
    var set: String

    @Option(help: "Photo of the empty table.")
    var empty: String

    @Option(help: "Photo of the pieces laid out.")
    var laidOut: String

    @Option(help: "Longest edge or diameter of the largest piece, in millimetres.")
    var longestMM = 50.0

    @Option(help: "Names of the pieces or faces in reading order, separated by commas.")
    var names: String?

    @Option(help: "File to write (default: models/piece-sets/SET.json).")
    var out: String?

    func validate() throws {
        guard set.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,40}/) != nil else {
            throw ValidationError("--set must be at most 41 lower-case letters, digits and hyphens")
        }
        // Sets are found by their files' names.
        if let out, URL(filePath: out).lastPathComponent != "\(set).json" {
            throw ValidationError("--out must name a file \(set).json, because a set is found by its file's name")
        }
        guard (1...2000).contains(longestMM) else { throw ValidationError("--longest-mm must be from 1 to 2000") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        let file = out.map { URL(filePath: $0) } ?? engine.models.url.appending(path: "piece-sets/\(set).json")
        // Do not overwrite a shipped or learned set by mistake.
        guard !FileManager.default.fileExists(atPath: file.path) else {
            throw StartupError(.usage, "\(file.path) exists: choose another --set or --out, or remove it")
        }
        guard let emptyPath = FilePathBytes(empty), let laidOutPath = FilePathBytes(laidOut) else {
            throw StartupError(.usage, "the path of a photo is empty: name a file")
        }
        let processor = try engine.processor(workers: 1)
        let text: String
        do throws(ItemFailure) {
            text = try await processor.teach(
                TeachingRequest(
                    set: set, longestMM: longestMM, names: names?.split(separator: ",").map(String.init) ?? []),
                empty: emptyPath, laidOut: laidOutPath)
        } catch {
            StandardError.write("tablesight: \(error.detail); \(error.hint)\n")
            throw ExitCode.someFailed
        }
        // Workers read the folder at any time, so the loader's check comes before the file.
        do { _ = try PieceSet(Data(text.utf8), name: set, origin: .shipped) } catch {
            throw StartupError(
                .software,
                "the worker returned an invalid piece set, \(error.key): \(error.detail); "
                    + "build tablesight and tablesight-worker from the same checkout")
        }
        do { try Data(text.utf8).write(to: file, options: .atomic) } catch {
            throw StartupError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
        }
        print(file.path)
    }
}
