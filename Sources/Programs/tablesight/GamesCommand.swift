import ArgumentParser
import Core
import Engine
import Foundation
import Kinds

/// `tablesight pieces games`: the games that `--game` takes.
struct GamesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "games", abstract: "Lists the games, and says what is wrong with your own.",
        help: """
            Each line has name, age, piece sets and title. Your own game is a folder with game.json and a program
            (docs/guide/games.md); it is looked for in TABLESIGHT_GAMES, else in tablesight/games in your data folder. The
            exit code is 1 if a folder there is no valid game.
            """)

    @Option(help: "Folder with your own games (default: as above).")
    var folder: String?

    func run() throws {
        let models = try TablesightEngine().models
        let own = OwnGames(in: folder.map { URL(filePath: $0) } ?? OwnGames.usualFolder(), models: models)
        let catalogue = GameCatalogue(models: models, own: own)
        let rows = try catalogue.entries().map { game in
            [
                game.id, game.recommendedAge.map(String.init).joined(separator: "–"),
                catalogue.pieceSets(of: game.id).joined(separator: ", "), game.title,
            ]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) } + row.suffix(1)
            try StandardOutput.write(cells.joined(separator: "  ").printable + "\n")
        }
        own.sentences.forEach { StandardError.write("tablesight: \($0.printable)\n") }
        if !own.faults.isEmpty { throw ExitCode.someFailed }
    }
}
