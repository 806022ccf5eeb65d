import Foundation
import Core

/// The games there are, and how each begins.
public struct GameCatalogue: Sendable {
    /// What one game is.
    public struct Entry: Sendable, Hashable, Codable {
        public var id: String
        public var title: String
        public var description: String
        /// Years, youngest and oldest.
        public var recommendedAge: [Int]
        public var skills: [String]
    }

    /// A game's wishes beside its name.
    public struct Choice: Sendable, Hashable {
        public var difficulty: GameLevel
        /// A tangram puzzle; nil finds the one that fits.
        public var puzzle: String?
        /// Of the word list.
        public var language: String

        public init(difficulty: GameLevel = .normal, puzzle: String? = nil, language: String = "en") {
            self.difficulty = difficulty
            self.puzzle = puzzle
            self.language = language
        }
    }

    private let models: ModelFolder

    public init(models: ModelFolder) { self.models = models }

    /// The names that `game` takes, sorted.
    public static let ids = [
        "colour-shapes", "connect-four", "dice-target", "dominoes", "draughts", "letters", "number-add",
        "number-connect",
        "number-count", "number-multiply", "tangram", "tic-tac-toe",
    ]

    /// True for a name that `game` takes; `tangram:BOOK` names a book of puzzles.
    public static func knows(_ name: String) -> Bool { ids.contains(name) || book(of: name) != nil }

    /// The book of puzzles that a name like `tangram:museum` asks for; nil for any other name.
    public static func book(of name: String) -> String? {
        guard name.hasPrefix("tangram:"), name != "tangram:" else { return nil }
        return String(name.dropFirst("tangram:".count))
    }

    /// A new game. `tangram:BOOK` plays the puzzles of `models/puzzles/BOOK.json`, or of a path with a `/`.
    ///
    /// - Throws: ``StartupError``: (64) for an unknown game or puzzle, (69) where its word list is missing, (78) where its data is
    ///   broken.
    public func game(_ id: String, _ choice: Choice = Choice()) throws -> any Game {
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
            NumberGame(try NumberGameFile.load(id, from: models), level: choice.difficulty)
        default:
            throw StartupError(.usage, "no game is called \(id): there are \(Self.ids.joined(separator: ", "))")
        }
    }

    /// Every game, with what a person wants to know before choosing it; one whose word list is missing is left out.
    public func entries() throws -> [Entry] {
        try Self.ids.compactMap { id in
            let game: any Game
            do { game = try self.game(id) } catch let error as StartupError where error.exitCode == .unavailable {
                return nil
            }
            return Entry(
                id: game.id, title: game.title, description: game.description,
                recommendedAge: [game.recommendedAge.lowerBound, game.recommendedAge.upperBound], skills: game.skills)
        }
    }

    /// The longest edge of a game's tiles, millimetres: what is laid edge to edge.
    private func side(_ game: String) throws -> Double {
        struct File: Decodable { var side_mm: Double }
        let path = "games/\(game).json"
        let side = try models.load(File.self, from: path).side_mm
        guard (1...1000).contains(side) else {
            throw StartupError(
                .configuration, "\(models.url.appending(path: path).path) at side_mm: give millimetres, 1 to 1000")
        }
        return side
    }

    private func letters(_ language: String) throws -> LetterTiles {
        struct File: Decodable {
            struct List: Decodable {
                var language, file, package: String
                var nounsAreCapitalised: Bool
            }
            var lists: [List]
        }
        let file = try models.load(File.self, from: "games/letters.json")
        guard let list = file.lists.first(where: { $0.language == language }) else {
            let known = file.lists.map(\.language).joined(separator: ", ")
            throw StartupError(.usage, "no word list for the language \(language): there are \(known)")
        }
        return LetterTiles(
            side: try side("letters"),
            words: try WordList(
                file: URL(filePath: list.file), package: list.package, nounsAreCapitalised: list.nounsAreCapitalised))
    }
}
