import Foundation
import PieceRecognition
import TestSupport
import Testing
import Core

@Suite struct `Piece sets` {
    @Test(arguments: [
        "tangram", "tangram-mono", "dice", "dominoes", "number-dots", "number-tiles", "letter-tiles", "colour-shapes",
        "tic-tac-toe", "connect-four", "draughts",
    ])
    func `the shipped sets load`(name: String) throws {
        let set = try PreparedPieceSet.load(name, from: ModelFolder(Repository.models))
        #expect(set.name == name)
        #expect(set.version == "1")
        #expect(set.identifier == "\(name)@1")
    }

    @Test func `an unknown set is a usage error that names the known sets`() {
        let error = #expect(throws: StartupError.self) {
            try PreparedPieceSet.load("chess", from: ModelFolder(Repository.models))
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains("tangram-mono") == true)
    }

    private static let piece =
        #"{"slot": null, "type": "t", "count": 2, "shape": {"polygon": [[0,0],[70,0],[0,70]]}, "fold": 1, "chiral": false, "colour": "any"}"#

    /// A change of the piece's text, and the key that the message must name.
    @Test(arguments: [
        ("[0,70]]", "[0,70],[9,9],[1,2]]", "pieces[0].shape.polygon"),
        ("[0,70]]", "[140,0]]", "pieces[0].shape.polygon"),
        ("\"count\": 2", "\"count\": 0", "pieces[0].count"),
        ("\"fold\": 1", "\"fold\": 0", "pieces[0].fold"),
        ("\"colour\": \"any\"", "\"colour\": {\"name\": \"red\", \"srgb\": \"red\"}", "pieces[0].colour.srgb"),
        ("\"colour\": \"any\"", "\"colour\": \"blue\"", "colour"),
        ("\"type\": \"t\"", "\"type\": \"\"", "pieces[0].type"),
        ("\"fold\": 1,", "", "fold"),
        ("{\"polygon\": [[0,0],[70,0],[0,70]]}", "{}", "pieces[0].shape"),
        ("\"colour\": \"any\"", "\"colour\": \"any\", \"face\": {\"pips\": {\"max\": 12}}", "pieces[0].face.pips.max"),
        (
            "\"colour\": \"any\"",
            "\"colour\": \"any\", \"face\": {\"glyph\": {\"templates\": [{\"name\": \"A\", \"bits\": \"00\"}]}}",
            "pieces[0].face.glyph.templates[0]"
        ),
        (
            "\"colour\": \"any\"",
            "\"colour\": \"any\", \"face\": {\"symbol\": {\"templates\": []}}", "pieces[0].face.symbol.templates"
        ),
    ])
    func `an invalid set is reported with its file and key`(from: String, to: String, key: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "piece-sets-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "piece-sets"), withIntermediateDirectories: true)
        #expect(Self.piece.contains(from))
        let text = """
            {"schema": "tablesight.piece-set/1", "name": "own", "version": "1", "source": "own", "licence": "own", "title": "Own", "units": "mm",
             "thickness_mm": 4, "pieces": [\(Self.piece.replacingOccurrences(of: from, with: to))]}
            """
        try Data(text.utf8).write(to: folder.appending(path: "piece-sets/own.json"))
        let error = #expect(throws: StartupError.self) { try PreparedPieceSet.load("own", from: ModelFolder(folder)) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("own.json") == true)
        #expect(error?.message.contains(key) == true, "\(error?.message ?? "")")
    }
}
