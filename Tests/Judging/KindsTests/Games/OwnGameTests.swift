import Core
import Foundation
import TestSupport
import Testing

@testable import Kinds

/// Folders with games of one's own.
@Suite struct OwnGameTests {
    private static let models = ModelFolder(Repository.models)
    private let games: TemporaryFolder

    init() throws { games = try TemporaryFolder() }

    private static func manifest() throws -> [String: Any] {
        let file = Repository.samples.appending(path: "games/corner/game.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// Writes a game with changes to the manifest of the sample; nil removes a key.
    @discardableResult private func write(
        _ name: String = "corner", _ changes: [String: Any?] = [:], isExecutable: Bool = true
    ) throws -> URL {
        var manifest = try Self.manifest()
        for (key, value) in changes { manifest[key] = value }
        let folder = games.url.appending(path: name)
        try games.write(try JSONSerialization.data(withJSONObject: manifest), to: "\(name)/game.json")
        let program = try games.write(Data("#!/bin/sh\n".utf8), to: "\(name)/corner.py")
        try FileManager.default.setAttributes(
            [.posixPermissions: isExecutable ? 0o755 : 0o644], ofItemAtPath: program.path)
        return folder
    }

    private func fault(_ name: String = "corner") -> StartupError? {
        do {
            _ = try OwnGame(in: games.url.appending(path: name), models: Self.models)
            return nil
        } catch { return error as? StartupError }
    }

    private struct Wrong: Sendable, CustomTestStringConvertible {
        var key: String
        /// JSON of the value; nil removes the key.
        var value: String?
        /// A part of the message.
        var says: String
        var place: String?

        var testDescription: String { "\(key) \(value ?? "missing")" }
    }

    private static let wrong = [
        Wrong(key: "schema", value: #""tablesight.game/9""#, says: "tablesight.game/1 is expected"),
        Wrong(key: "version", says: "version"), Wrong(key: "id", says: "id"),
        Wrong(key: "id", value: #""Corner!""#, says: "begin with a small letter"),
        Wrong(key: "id", value: #""dominoes""#, says: "choose another id"),
        Wrong(key: "id", value: #""pieces""#, says: "choose another id"),
        Wrong(key: "id", value: #""edge""#, says: "call the folder edge"),
        Wrong(key: "title", value: "{}", says: "give a text"),
        Wrong(key: "title", value: #"{"English": "Corner"}"#, says: "codes such as en", place: "title.English"),
        Wrong(key: "title", value: #"{"en": " "}"#, says: "1 to 300 characters", place: "title.en"),
        Wrong(key: "description", says: "description"),
        Wrong(key: "recommendedAge", value: "[9, 3]", says: "such as [4, 9]"),
        Wrong(key: "recommendedAge", value: "[3]", says: "such as [4, 9]"),
        Wrong(key: "recommendedAge", value: #""3 to 9""#, says: "Array"),
        Wrong(key: "sets", value: "[]", says: "name at least one piece set"),
        Wrong(key: "sets", value: #"["tangram", "marbles"]"#, says: "there are colour-shapes", place: "sets[1]"),
        Wrong(key: "sets", value: #"["dice", "dice"]"#, says: "dice is there twice"),
        Wrong(key: "program", value: #""/bin/sh""#, says: "give a path within it"),
        Wrong(key: "program", value: #""../corner.py""#, says: "give a path within it"),
        Wrong(key: "program", value: #""play.py""#, says: "there is no file"),
        Wrong(key: "program", value: #"".""#, says: "not a file"),
        Wrong(key: "skills", value: #"[{"id": "a b", "title": {"en": "A"}}]"#, says: "hyphens", place: "skills[0].id"),
        Wrong(key: "skills", value: #"[{"id": "a", "title": {}}]"#, says: "give a text", place: "skills[0].title"),
        Wrong(
            key: "levels", value: #"["medium"]"#, says: "medium is not one of easy, normal, hard", place: "levels[0]"),
        Wrong(key: "levels", value: "[]", says: "leave the key out"),
        Wrong(
            key: "puzzles", value: #"[{"id": "a", "title": {"en": "A"}, "difficulty": 6}]"#, says: "1 (easy) to 5",
            place: "puzzles[0].difficulty"),
    ]

    @Test(arguments: wrong) private func `a wrong manifest is refused with file, key and remedy`(wrong: Wrong) throws {
        let value = try wrong.value.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
        }
        try write("corner", [wrong.key: value])
        let error = try #require(fault())
        #expect(error.exitCode == .configuration)
        #expect(error.message.contains("corner/game.json"), "\(error.message)")
        #expect(error.message.contains(wrong.place ?? wrong.key), "\(error.message)")
        #expect(error.message.contains(wrong.says), "\(error.message)")
    }

    @Test func `the sample is a game in two languages`() throws {
        let game = try OwnGame(in: Repository.samples.appending(path: "games/corner"), models: Self.models)
        #expect(game.manifest.title.text(in: "de") == "Ecke")
        #expect(game.manifest.title.text(in: "fr") == "Corner")
        #expect(game.manifest.sets == ["tangram", "tangram-mono"])
    }

    @Test func `a program that is not executable, or leads out of the folder, is refused`() throws {
        try write(isExecutable: false)
        #expect(try #require(fault()).message.contains("chmod +x"))
        let program = try write().appending(path: "corner.py")
        try FileManager.default.removeItem(at: program)
        try FileManager.default.createSymbolicLink(at: program, withDestinationURL: URL(filePath: "/bin/sh"))
        #expect(try #require(fault()).message.contains("out of the folder"))
    }

    @Test func `a program without a folder is refused with what to do`() throws {
        let program = try write().appending(path: "corner.py")
        let error = #expect(throws: StartupError.self) { try OwnGame(in: program, models: Self.models) }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains("folder with game.json") == true)
        let missing = #expect(throws: StartupError.self) {
            try OwnGame(in: games.url.appending(path: "nowhere"), models: Self.models)
        }
        #expect(missing?.exitCode == .noInput)
    }

    @Test func `a wrong folder does not hold up the others, and is named when it is wanted`() throws {
        try write()
        try write("swan", ["id": "swan", "sets": ["marbles"]])
        try games.write(Data("notes".utf8), to: "README")
        try games.write(Data(), to: ".git/config")
        try games.write(Data(), to: "empty/notes")
        let own = OwnGames(in: games.url, models: Self.models)
        #expect(own.games.map(\.id) == ["corner"])
        #expect(own.faults.keys.sorted() == ["empty", "swan"])
        let catalogue = GameCatalogue(models: Self.models, own: own)
        #expect(try catalogue.entries().last?.title == "Corner")
        #expect(catalogue.knows("corner") && catalogue.knows("dominoes") && !catalogue.knows("swan"))
        let wanted = #expect(throws: StartupError.self) { try catalogue.require("swan", with: "tangram") }
        #expect(wanted?.message.contains("marbles") == true, "the reason, not a list of games")
        let other = #expect(throws: StartupError.self) { try catalogue.require("corner", with: "dice") }
        #expect(other?.message == "the game corner is played with tangram or tangram-mono, not with dice")
        let unknown = #expect(throws: StartupError.self) { try catalogue.require("chess", with: "dice") }
        #expect(unknown?.message.contains("tic-tac-toe, corner") == true)
        #expect(OwnGames(in: games.url.appending(path: "nowhere"), models: Self.models).games.isEmpty)
    }

    @Test func `tasks are the levels, or the puzzles at each level`() throws {
        try write("corner", ["levels": ["easy", "hard"]])
        func catalogue() -> GameCatalogue {
            GameCatalogue(models: Self.models, own: OwnGames(in: games.url, models: Self.models))
        }
        #expect(catalogue().tasks(of: "corner").map(\.level) == [.easy, .hard])
        #expect(catalogue().puzzles(of: "corner").isEmpty)
        let puzzles = [("far", 4), ("near", 1)].map { id, step in
            ["id": id, "title": ["en": id], "difficulty": step] as [String: Any]
        }
        try write("corner", ["levels": ["normal"], "puzzles": puzzles])
        #expect(catalogue().tasks(of: "corner").map(\.puzzle) == ["near", "far"])
        #expect(catalogue().puzzles(of: "corner") == ["far", "near"])
    }

    @Test func `a difficulty that the game does not have is refused, except the default`() throws {
        try write("corner", ["levels": ["easy"]])
        let game = try OwnGame(in: games.url.appending(path: "corner"), models: Self.models).manifest
        #expect(try game.level(.normal) == .easy)
        #expect(try game.level(.easy) == .easy)
        #expect(throws: StartupError.self) { try game.level(.hard) }
    }
}
