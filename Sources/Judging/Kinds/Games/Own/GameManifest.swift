import Core

/// `game.json` of a game of one's own: what people read of it, and the program that plays it.
package struct GameManifest: DataFile, Sendable, Hashable {
    package static let schema = "tablesight.game/1"
    package static let remedy = "docs/guide/games.md describes the file"

    /// A text in languages, by their codes.
    package typealias Words = [String: String]

    package struct Skill: Sendable, Hashable, Decodable {
        package var id: String
        package var title: Words
    }

    package struct Puzzle: Sendable, Hashable, Decodable {
        package var id: String
        package var title: Words
        /// 1 for the easiest … 5.
        package var difficulty: Int
    }

    package var id: String
    package var version: String
    package var title, description: Words
    /// Youngest and oldest age in years.
    package var recommendedAge: [Int]
    /// The piece sets that the game is played with, the usual one first.
    package var sets: [String]
    /// A path within the folder.
    package var program: String
    package var skills: [Skill]?
    /// Names of ``GameLevel``; nil for all.
    package var levels: [String]?
    package var puzzles: [Puzzle]?

    package func validate(name: String) throws(DataFileProblem) {
        try Self.check(id: id, "id")
        try DataFileProblem.check(
            !GameCatalogue.isBuiltIn(id) && id != "pieces", "id", "\(id) is a game of Tablesight: choose another id")
        try Self.check(title, "title")
        try Self.check(description, "description")
        try DataFileProblem.check(
            recommendedAge.count == 2 && recommendedAge.allSatisfy { (0...120).contains($0) }
                && recommendedAge.first ?? 0 <= recommendedAge.last ?? 0, "recommendedAge",
            "give the youngest and the oldest age in years, such as [4, 9]")
        try DataFileProblem.check(!sets.isEmpty, "sets", "empty: name at least one piece set")
        try DataFileProblem.check(
            !program.isEmpty && !program.hasPrefix("/") && !program.split(separator: "/").contains(".."), "program",
            "\(program) is not below the game's folder: give a path within it")
        for (index, skill) in (skills ?? []).enumerated() {
            try Self.check(id: skill.id, "skills[\(index)].id")
            try Self.check(skill.title, "skills[\(index)].title")
        }
        for (index, level) in (levels ?? []).enumerated() {
            let known = GameLevel.allCases.map(\.rawValue)
            try DataFileProblem.check(
                known.contains(level), "levels[\(index)]", "\(level) is not one of \(known.joined(separator: ", "))")
        }
        try DataFileProblem.check(levels?.isEmpty != true, "levels", "empty: name a level, or leave the key out")
        for (index, puzzle) in (puzzles ?? []).enumerated() {
            try Self.check(id: puzzle.id, "puzzles[\(index)].id")
            try Self.check(puzzle.title, "puzzles[\(index)].title")
            try DataFileProblem.check(
                (1...5).contains(puzzle.difficulty), "puzzles[\(index)].difficulty", "give 1 (easy) to 5")
        }
        for (key, ids) in [
            ("sets", sets), ("skills", (skills ?? []).map(\.id)), ("levels", levels ?? []),
            ("puzzles", (puzzles ?? []).map(\.id)),
        ] {
            let repeated = ids.first { id in ids.count { $0 == id } > 1 }
            try DataFileProblem.check(repeated == nil, key, "\(repeated ?? "") is there twice: remove one")
        }
    }

    /// The difficulty at which the game is played: the wanted one, or for `normal`, which is the default, the first one.
    ///
    /// - Throws: ``StartupError`` (64) if it is not one of the game's.
    package func level(_ wanted: GameLevel) throws -> GameLevel {
        guard let levels, !levels.contains(wanted.rawValue) else { return wanted }
        guard wanted == .normal, let first = levels.first.flatMap(GameLevel.init) else {
            let known = levels.joined(separator: " or ")
            throw StartupError(.usage, "the game \(id) is played at \(known), not at \(wanted.rawValue)")
        }
        return first
    }

    /// Ids are parts of addresses, and names on the command line.
    private static func check(id: String, _ key: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            id.count <= 40 && id.wholeMatch(of: /[a-z][A-Za-z0-9-]*/) != nil, key,
            "use at most 40 letters, digits and hyphens, and begin with a small letter")
    }

    private static func check(_ words: Words, _ key: String) throws(DataFileProblem) {
        try DataFileProblem.check(!words.isEmpty, key, #"empty: give a text, such as {"en": "Corner"}"#)
        for (language, text) in words.sorted(by: { $0.key < $1.key }) {
            try DataFileProblem.check(
                language.wholeMatch(of: /[a-z]{2,3}/) != nil, "\(key).\(language)",
                "not the code of a language: use codes such as en or de")
            try DataFileProblem.check(
                text.contains { !$0.isWhitespace } && text.count <= 300, "\(key).\(language)",
                "give 1 to 300 characters")
        }
    }
}

extension GameManifest.Words {
    /// The text in this language, else in English, else in the first language that there is.
    package func text(in language: String) -> String {
        self[language] ?? self["en"] ?? self.min { $0.key < $1.key }?.value ?? ""
    }
}
