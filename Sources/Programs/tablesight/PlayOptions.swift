import ArgumentParser
import Foundation
import Games
import Streaming
import Core

/// What is played with the pieces.
struct PlayOptions: ParsableArguments {
    @Option(
        help: """
            Also print what this game makes of each frame: one of \(GameCatalogue.ids.joined(separator: ", ")), or \
            tangram:BOOK with puzzles of your own (pieces teach-puzzles), or the path of a program that plays by NDJSON.
            """)
    var game: String?

    @Option(help: "A puzzle of the tangram; without it the one is found that the pieces fit.")
    var puzzle: String?

    @Option(help: "easy, normal or hard.")
    var difficulty = GameLevel.normal

    @Option(help: "Of the word list: en or de.")
    var language = "en"

    @Option(help: "A file that the game goes on from, where it is there, and is saved to at the end.")
    var state: String?

    @Flag(help: "End with a report for parents.")
    var report = false
}

extension GameLevel: ExpressibleByArgument {}

/// A game session beside the stream: one line for each frame.
struct GameTable {
    private var session: GameSession
    private let state: URL?
    private let reports: Bool
    private var lines: [GameLine] = []

    /// Nil where nothing is played.
    init?(_ options: PlayOptions, session id: String, models: ModelFolder) throws {
        guard let name = options.game else { return nil }
        let game: any Game =
            name.contains("/") && GameCatalogue.book(of: name) == nil
            ? try ExternalGame(command: [name], session: id, difficulty: options.difficulty)
            : try GameCatalogue(models: models).game(
                name, .init(difficulty: options.difficulty, puzzle: options.puzzle, language: options.language))
        session = GameSession(id: id, game: game, difficulty: options.difficulty)
        state = options.state.map { URL(filePath: $0) }
        reports = options.report
        if let state, let saved = try? Data(contentsOf: state) { try session.load(saved) }
    }

    mutating func play(_ input: GameInput) throws {
        let line = session.receive(input)
        if reports { lines.append(line) }
        try StandardOutput.writeLine(line)
    }

    /// Saves, and reports where that was asked for.
    func end() throws {
        if reports { try StandardOutput.writeLine(ParentReport(session: session.id, lines: lines)) }
        guard let state else { return }
        do { try session.save().write(to: state, options: .atomic) } catch let error as CocoaError {
            throw StartupError(.inputOutput, "cannot save the game to \(state.path): \(error.localizedDescription)")
        }
    }
}
