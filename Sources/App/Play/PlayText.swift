import Household
import Kinds
import HTTP
import Store

// Names and times of games in the reader's language.
extension PageTexts {
    func game(_ id: String) -> String {
        let base = String(id.prefix { $0 != ":" })
        let name = has("game.\(base)") ? text("game.\(base)") : base
        return base == id ? name : "\(name), \(id.dropFirst(base.count + 1))"
    }

    /// What a photo of a game shows: `Boat, 5 of 7 pieces`, or the game.
    func figure(_ figure: GameFigure) -> String {
        guard let puzzle = figure.puzzle else { return game(figure.game) }
        let name = self.puzzle(puzzle, of: figure.game)
        guard let placed = figure.placed, let needed = figure.needed, placed < needed else { return name }
        return text("figure.placed", ["x": name, "n": "\(placed)", "all": "\(needed)"])
    }

    /// The name of a puzzle; one that somebody taught has the name that it was given.
    func puzzle(_ id: String, of game: String) -> String {
        first(of: "figure.\(game).\(id)", "figure.\(id)") ?? id.replacing("-", with: " ")
    }

    /// What tells a piece set from the others of a game. A set of one's own has only its name.
    func pieceSet(_ id: String) -> String { first(of: "set.\(id)") ?? id.replacing("-", with: " ") }

    /// How far a player is: `3 of 5 words`.
    func done(_ placed: Int, of needed: Int, in game: String) -> String {
        let unit =
            switch GameCatalogue.book(of: game) == nil ? game : PlayActions.tangram {
            case PlayActions.tangram: "pieces"
            case "colour-shapes", "dominoes", "letters": game
            default: "tasks"
            }
        return text("play.\(unit)", ["n": "\(placed)", "all": "\(needed)"])
    }

    /// The help's sentence; nil for one that is only visual. A sentence that has no translation stays English.
    func saying(_ advice: Advice) -> String? {
        guard let key = advice.key, has("say.\(key)") else { return advice.text.isEmpty ? nil : advice.text }
        return text("say.\(key)", (advice.values ?? [:]).mapValues(words))
    }

    /// Names of shapes and colours in the reader's language; everything else stays.
    private func words(_ value: String) -> String {
        value.split(separator: ", ").map { word in
            ["shape.\(word)", "colour.\(word)"].first(where: has).map { text($0) } ?? String(word)
        }.joined(separator: ", ")
    }

    func skill(_ key: String, of game: String) -> String {
        first(of: "skill.\(game).\(key)", "skill.\(key)") ?? Self.spaced(key)
    }

    private func first(of keys: String...) -> String? { keys.first(where: has).map { text($0) } }

    /// These texts with the words of games of one's own, where a game of the program has its words.
    func naming(_ games: OwnGames) -> PageTexts {
        var all = texts
        for game in games.games.map(\.manifest) {
            all["game.\(game.id)"] = game.title.text(in: language)
            all["game.\(game.id).text"] = game.description.text(in: language)
            for skill in game.skills ?? [] { all["skill.\(game.id).\(skill.id)"] = skill.title.text(in: language) }
            for puzzle in game.puzzles ?? [] {
                all["figure.\(game.id).\(puzzle.id)"] = puzzle.title.text(in: language)
            }
        }
        return PageTexts(language: language, texts: all)
    }

    func piece(_ type: String) -> String { has("piece.type.\(type)") ? text("piece.type.\(type)") : Self.spaced(type) }

    func photos(of session: PlaySession) -> String {
        session.frames == 1 ? text("games.photo") : text("games.photos", ["n": "\(session.frames)"])
    }

    /// `12:04`, minutes and seconds since the start of a session.
    static func time(_ nanoseconds: Int) -> String {
        let seconds = max(0, nanoseconds / 1_000_000_000)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// `largeTriangle` → `large triangle`.
    private static func spaced(_ key: String) -> String {
        key.reduce(into: "") { text, letter in
            if letter.isUppercase { text += " " }
            text += letter.lowercased()
        }
    }
}
