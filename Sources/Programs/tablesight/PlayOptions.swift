import ArgumentParser
import Foundation
import Kinds
import Streaming
import Core

/// The options of a game.
struct PlayOptions: ParsableArguments {
    @Option(
        help: """
            Game to play with each frame: one of \(GameCatalogue.ids.joined(separator: ", ")); \
            tangram:BOOK for a book of your puzzles (pieces teach-puzzles); or a program that plays by NDJSON.
            """)
    var game: String?

    @Option(help: "Tangram puzzle (default: the puzzle that the pieces match).")
    var puzzle: String?

    @Option(help: "Difficulty: easy, normal or hard.")
    var difficulty = GameLevel.normal

    @Option(help: "Language of the word list: en or de.")
    var language = "en"

    @Option(help: "Who plays; a program that plays by NDJSON gets the name, and the level of --state.")
    var player: String?

    @Option(help: "File to load the game from, if it exists, and to save it to at the end.")
    var state: String?

    @Flag(help: "Print a report for parents at the end.")
    var report = false
}

extension GameLevel: ExpressibleByArgument {}

/// A game session that runs along with the stream; prints one line per frame.
struct GameTable {
    private var session: GameSession
    private let state: URL?
    private let reports: Bool
    private var lines: [GameLine] = []

    /// Nil if no game was chosen.
    init?(_ options: PlayOptions, session id: String, models: ModelFolder) throws {
        guard let name = options.game else { return nil }
        let state = options.state.map { URL(filePath: $0) }
        let saved = state.flatMap { try? Data(contentsOf: $0) }
        let level = saved.flatMap { GameSession.progress(in: $0)?.level } ?? 1
        let game: any Game =
            name.contains("/") && GameCatalogue.book(of: name) == nil
            ? try ExternalGame(
                command: [name], session: id, difficulty: options.difficulty,
                player: .init(name: options.player, level: level))
            : try GameCatalogue(models: models).game(
                name, .init(difficulty: options.difficulty, puzzle: options.puzzle, language: options.language))
        session = GameSession(id: id, game: game, difficulty: options.difficulty)
        self.state = state
        reports = options.report
        if let saved { try session.load(saved) }
    }

    mutating func play(_ input: GameInput) throws {
        let line = session.receive(input)
        if reports { lines.append(line) }
        try StandardOutput.writeLine(line)
    }

    /// Saves the game and prints the report, each if it was requested.
    func end() throws {
        if reports { try StandardOutput.writeLine(ParentReport(session: session.id, lines: lines)) }
        guard let state else { return }
        do { try session.save().write(to: state, options: .atomic) } catch let error as CocoaError {
            throw StartupError(.inputOutput, "cannot save the game to \(state.path): \(error.localizedDescription)")
        }
    }
}
