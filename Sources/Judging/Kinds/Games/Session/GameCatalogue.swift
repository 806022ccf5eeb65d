import Foundation
import Core

/// The available games: those of the program, and a family's own.
package struct GameCatalogue: Sendable {
    /// Description of one game.
    package struct Entry: Sendable, Hashable, Codable {
        package var id: String
        package var title: String
        package var description: String
        /// Minimum and maximum age in years.
        package var recommendedAge: [Int]
        package var skills: [String]
    }

    /// Who plays, for a game of one's own.
    package struct Player: Sendable, Hashable, Codable {
        /// Nil if nobody is named.
        package var name: String?
        /// From 1; see ``PlayerProgress``.
        package var level: Int

        package init(name: String? = nil, level: Int = 1) {
            self.name = name
            self.level = level
        }
    }

    /// Options of a game.
    package struct Choice: Sendable, Hashable {
        package var difficulty: GameLevel
        /// Nil lets the game detect the matching one.
        package var puzzle: String?
        /// The language of the word list.
        package var language: String
        package var player: Player

        package init(
            difficulty: GameLevel = .normal, puzzle: String? = nil, language: String = "en", player: Player = Player()
        ) {
            self.difficulty = difficulty
            self.puzzle = puzzle
            self.language = language
            self.player = player
        }
    }

    private let models: ModelFolder
    package let own: OwnGames
    /// Every page of games asks for them, and a word list has a hundred thousand words.
    private let described = Once<[Entry]>()

    package init(models: ModelFolder, own: OwnGames = .none) {
        self.models = models
        self.own = own
    }

    /// The sorted names of the program's games.
    package static let ids = [
        "colour-shapes", "connect-four", "dice-target", "dominoes", "draughts", "letters", "number-add",
        "number-connect",
        "number-count", "number-multiply", "tangram", "tic-tac-toe",
    ]

    /// True for a game of the program. `tangram:BOOK` names a book of puzzles.
    package static func isBuiltIn(_ name: String) -> Bool { ids.contains(name) || book(of: name) != nil }

    /// True for a game that anybody may name: a path to a book of puzzles is only for the settings and the command line.
    package func knows(_ name: String) -> Bool {
        guard let book = Self.book(of: name) else { return Self.ids.contains(name) || own[name] != nil }
        return !book.contains("/") && puzzleBook(of: name) != nil
    }

    /// Checks that a game is there and is played with a set.
    ///
    /// - Throws: ``StartupError`` as ``game(_:_:)``.
    package func require(_ id: String, with set: String) throws {
        guard let game = own[id] else {
            _ = try self.game(id)
            return
        }
        guard game.manifest.sets.contains(set) else {
            let sets = game.manifest.sets.joined(separator: " or ")
            throw StartupError(.usage, "the game \(id) is played with \(sets), not with \(set)")
        }
    }

    /// The puzzle book of a name such as `tangram:museum`; nil for any other name.
    package static func book(of name: String) -> String? {
        guard name.hasPrefix("tangram:"), name != "tangram:" else { return nil }
        return String(name.dropFirst("tangram:".count))
    }

    /// Creates a game of the program. `tangram:BOOK` uses the puzzles of `models/puzzles/BOOK.json`, or of a path with a `/`.
    ///
    /// - Throws: ``StartupError`` (64) for an unknown game or puzzle, (69) if the word list is missing, (78) if the
    ///   data is invalid.
    package func game(_ id: String, _ choice: Choice = Choice()) throws -> any Game {
        if let book = Self.book(of: id) {
            return try TangramGame(
                book: PuzzleBook(models: models, book: book), puzzle: choice.puzzle, level: choice.difficulty)
        }
        return switch id {
        case "tangram":
            try TangramGame(book: PuzzleBook(models: models), puzzle: choice.puzzle, level: choice.difficulty)
        case "tic-tac-toe": PositionGame(TicTacToe())
        case "connect-four": PositionGame(ConnectFour())
        case "draughts": PositionGame(Draughts())
        case "dominoes": DominoGame(length: try side("dominoes"), level: choice.difficulty)
        case "colour-shapes":
            TileGame(ColourShapeTiles(side: try side("colour-shapes")), level: choice.difficulty)
        case "letters": TileGame(try letters(choice.language), level: choice.difficulty)
        case "dice-target", "number-add", "number-connect", "number-count", "number-multiply":
            NumberGame(try models.load(NumberGameFile.self, from: "games/\(id).json"), level: choice.difficulty)
        default: throw unknown(id)
        }
    }

    private func unknown(_ id: String) -> StartupError {
        if let fault = own.faults[id] { return StartupError(.usage, "the game \(id) cannot be played: \(fault)") }
        let known = Self.ids + own.games.map(\.id)
        return StartupError(.usage, "unknown game \(id): choose one of \(known.joined(separator: ", "))")
    }

    /// The ids of the puzzles of a game; empty for a game without puzzles, or one whose book cannot be read.
    package func puzzles(of id: String) -> [String] {
        own[id]?.manifest.puzzles?.map(\.id) ?? puzzleBook(of: id)?.puzzles.map(\.id) ?? []
    }

    /// Nil for a game without puzzles, or one whose book cannot be read.
    func puzzleBook(of id: String) -> PuzzleBook? {
        let book = Self.book(of: id) ?? (id == "tangram" ? id : nil)
        return book.flatMap { try? PuzzleBook(models: models, book: $0) }
    }

    /// The descriptions of all games, made once. A game without its word list is omitted.
    package func entries() throws -> [Entry] { try described.get(describe) }

    private func describe() throws -> [Entry] {
        try Self.ids.compactMap { id in
            let game: any Game
            do { game = try self.game(id) } catch let error as StartupError where error.exitCode == .unavailable {
                return nil
            }
            return Entry(
                id: game.id, title: game.title, description: game.description,
                recommendedAge: [game.recommendedAge.lowerBound, game.recommendedAge.upperBound], skills: game.skills)
        } + own.games.map { Entry(of: $0.manifest) }
    }

    /// The longest edge of a game's tiles, millimetres.
    private func side(_ game: String) throws -> Double {
        try models.load(TileGameFile.self, from: "games/\(game).json").side_mm
    }

    private func letters(_ language: String) throws -> LetterTiles {
        let file = try models.load(LetterGameFile.self, from: "games/letters.json")
        guard let list = file.lists.first(where: { $0.language == language }) else {
            let known = file.lists.map(\.language).joined(separator: ", ")
            throw StartupError(.usage, "no word list for the language \(language): there are \(known)")
        }
        return LetterTiles(
            side: file.side_mm,
            words: try WordList(
                file: URL(filePath: list.file), package: list.package, nounsAreCapitalised: list.nounsAreCapitalised))
    }
}

extension GameCatalogue.Entry {
    fileprivate init(of game: GameManifest) {
        self.init(
            id: game.id, title: game.title.text(in: "en"), description: game.description.text(in: "en"),
            recommendedAge: game.recommendedAge, skills: (game.skills ?? []).map(\.id))
    }
}

/// `models/games/<id>.json` of a game with tiles.
private struct TileGameFile: DataFile {
    static let schema = "tablesight.tile-game/1"

    /// The longest edge of a tile, 1…1000 mm.
    var side_mm: Double

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check((1...1000).contains(side_mm), "side_mm", "give millimetres, 1 to 1000")
    }
}

/// `models/games/letters.json`: the size of a tile and the word lists.
private struct LetterGameFile: DataFile {
    static let schema = "tablesight.letters/1"

    struct List: Decodable {
        var language, file, package: String
        var nounsAreCapitalised: Bool
    }

    /// The longest edge of a tile, 1…1000 mm.
    var side_mm: Double
    var lists: [List]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check((1...1000).contains(side_mm), "side_mm", "give millimetres, 1 to 1000")
        try DataFileProblem.check(!lists.isEmpty, "lists", "empty: give at least one word list")
    }
}
