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
            tangram:BOOK for a book of your puzzles (pieces teach-puzzles); or your own game (pieces games), by its \
            name or as a path with a slash.
            """)
    var game: String?

    @Option(help: "Puzzle of the game (default: the puzzle that the pieces match).")
    var puzzle: String?

    @Option(help: "Difficulty: easy, normal or hard.")
    var difficulty = GameLevel.normal

    @Option(help: "Language of the word list: en or de.")
    var language = "en"

    @Option(help: "Who plays; your own game gets the name, and the level of --state.")
    var player: String?

    @Option(help: "File to load the game from, if it exists, and to save it to at the end.")
    var state: String?

    @Flag(help: "Print a report for parents at the end.")
    var report = false
}

extension GameLevel: ExpressibleByArgument {}

/// The table of the command: prints what each input gives.
struct PrintedTable {
    private var table: PlayTable
    private var output: PieceOutput
    private let session: String
    private let state: URL?
    private let reports: Bool
    private var lines: [GameLine] = []

    init(_ options: PlayOptions, of captures: CaptureSource, set: String, models: ModelFolder, output: PieceOutput)
        throws
    {
        self.output = output
        session = captures.session
        state = options.game == nil ? nil : options.state.map { URL(filePath: $0) }
        reports = options.game != nil && options.report
        let saved = state.flatMap { try? Data(contentsOf: $0) }
        table = PlayTable(
            session: captures.session, isTracked: captures.isStream, interval: captures.interval,
            game: try options.session(
                captures.session, with: set, models: models, saved: saved, patience: captures.isLive ? .frames : .photos
            ))
        if let saved { try table.load(saved) }
    }

    mutating func take(_ capture: PieceFrame, at time: Int) throws -> PieceFrame {
        var capture = capture
        capture.session = session
        let turn = table.take(capture, at: time)
        try write(turn)
        return turn.frame ?? capture
    }

    mutating func replay(_ input: GameInput) throws { try write(table.replay(input)) }

    private mutating func write(_ turn: PlayTable.Turn) throws {
        if let frame = turn.frame { try output.write(frame) }
        guard let said = turn.said else { return }
        if reports { lines.append(said) }
        try StandardOutput.writeLine(said)
    }

    /// Saves the game and prints the report, each if it was requested.
    func end() throws {
        if reports { try StandardOutput.writeLine(ParentReport(session: session, lines: lines)) }
        guard let state else { return }
        do { try table.save()?.write(to: state, options: .atomic) } catch let error as CocoaError {
            throw StartupError(.inputOutput, "cannot save the game to \(state.path): \(error.localizedDescription)")
        }
    }
}

extension PlayOptions {
    /// - Parameter saved: the game of `--state`.
    /// - Returns: nil if no game was chosen.
    fileprivate func session(
        _ id: String, with set: String, models: ModelFolder, saved: Data?, patience: GameCatalogue.Patience
    ) throws -> GameSession? {
        guard let game else { return nil }
        let level = saved.flatMap { GameSession.progress(in: $0)?.level } ?? 1
        let choice = GameCatalogue.Choice(
            difficulty: difficulty, puzzle: puzzle, language: language, player: .init(name: player, level: level))
        guard game.contains("/"), GameCatalogue.book(of: game) == nil else {
            let own = OwnGames(in: OwnGames.usualFolder(), models: models)
            return try GameCatalogue(models: models, own: own).session(
                id, of: game, with: set, choice, patience: patience)
        }
        let own = try OwnGame(in: URL(filePath: game), models: models)
        return try GameCatalogue(models: models, own: OwnGames(only: own)).session(
            id, of: own.id, with: set, choice, patience: patience)
    }
}
