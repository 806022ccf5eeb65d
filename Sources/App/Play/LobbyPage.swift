import Kinds
import HTTP
import Household

/// Who plays, what waits, the figures, the other games, and the boards of the house.
struct LobbyPage: Page {
    static let template = "lobby"
    static let styles = ["game", "form"]

    struct GoOn {
        let address, title, facts: String
        let figure: DrawnOutline?
    }

    struct Step {
        let n, address, label: String
        let isCurrent: Bool
    }

    struct Tile {
        let puzzle, title: String
        let figure: DrawnOutline?
        let note: String?
        let stars: Stars?
        let isNext: Bool
    }

    struct Choice {
        let value, text: String
        let isChosen: Bool
    }

    /// The form of a game: with a tile for each puzzle, or with a row.
    struct Game {
        let id, picture, title, text, facts: String
        /// What it practises; nil if nothing is named.
        let skills: String?
        /// The steps of its puzzles, where there are several.
        let steps: [Step]
        let tiles: [Tile]
        /// The piece sets, where there are several.
        let sets: [Choice]
    }

    struct Fault { let text: String }

    struct Limit {
        let minutes: String
        /// True for somebody who chooses a PIN together with the limit.
        let needsPIN: Bool
    }
    struct Board { let address, title, board, frames: String }

    let heading: String
    let who: String
    let players: [PlayerChoice]
    let report, points: String
    let goOn: GoOn?
    /// Games with puzzles, and the others.
    let figureGames, games: [Game]
    /// What is wrong with folders of games of one's own.
    let faults: [Fault]
    let today: String
    /// The field of an adult who bounds a child's minutes.
    let limit: Limit?
    /// The newest first.
    let boards: [Board]
    let error: String?

    /// - Parameter minutes: a limit that was typed and is not set.
    init(_ content: LobbyContent, _ texts: PageTexts, minutes typed: String? = nil, error: Problem? = nil) {
        let player = content.player
        heading = texts.text("games.head")
        who = "\(player.id)"
        players = content.players.map { PlayerChoice($0, isCurrent: $0.id == player.id, texts) }
        report = "/games/report?who=\(player.id)"
        points = texts.text("play.points", ["n": "\(content.xp)", "level": "\(content.level)"])
        let waiting = content.plays.filter { $0.isWaiting && $0.state != nil }
        goOn = waiting.first.map { play in
            let puzzles = content.games.first { $0.entry.id == play.game }?.puzzles ?? []
            return GoOn(
                address: "/play/\(play.id)", title: play.title(texts), facts: Self.facts(play, texts),
                figure: puzzles.first { $0.puzzle == play.puzzle }?.picture.map { DrawnOutline($0) })
        }
        let games = content.games.map { Game($0, content, waiting: waiting, texts) }
        figureGames = games.filter { !$0.tiles.isEmpty }
        self.games = games.filter(\.tiles.isEmpty)
        faults = content.faults.map { Fault(text: $0) }
        let minutes = "\(Int(content.seconds / 60))"
        today =
            content.limit.map { texts.text("play.today.limit", ["n": minutes, "all": "\($0)"]) }
            ?? texts.text("play.today", ["n": minutes])
        limit =
            content.maySetLimit
            ? Limit(minutes: typed ?? content.limit.map { "\($0)" } ?? "", needsPIN: content.needsPIN) : nil
        boards = content.boards.reversed().map { session in
            Board(
                address: session.address, title: texts.game(session.game), board: session.shortBoard,
                frames: texts.photos(of: session))
        }
        self.error = error.map { texts.refusal($0) }
    }

    private static func facts(_ play: Play, _ texts: PageTexts) -> String {
        guard let placed = play.placed, let needed = play.needed else { return texts.text("play.goingon") }
        return texts.done(placed, of: needed, in: play.game)
    }
}

extension LobbyPage.Game {
    /// - Parameter waiting: plays to continue.
    fileprivate init(_ game: LobbyContent.Game, _ content: LobbyContent, waiting: [Play], _ texts: PageTexts) {
        let entry = game.entry
        let (own, waiting) = (content.plays.filter { $0.game == entry.id }, waiting.filter { $0.game == entry.id })
        id = entry.id
        picture = GameCatalogue.isBuiltIn(id) ? id : "own"
        title = texts.game(id)
        text = texts.has("game.\(id).text") ? texts.text("game.\(id).text") : entry.description
        let solved = own.count { $0.solved != nil }
        facts = [
            texts.text("games.age", ["n": "\(entry.recommendedAge.first ?? 0)"]),
            solved == 0 ? nil : texts.text("play.donetimes", ["n": "\(solved)"]),
            waiting.isEmpty ? nil : texts.text("play.goingon"),
        ].compactMap { $0 }.joined(separator: ", ")
        skills =
            entry.skills.isEmpty ? nil : entry.skills.map { texts.skill($0, of: entry.id) }.joined(separator: ", ")
        let all = Set(game.puzzles.map(\.step)).sorted()
        steps =
            all.count < 2
            ? []
            : all.map { step in
                LobbyPage.Step(
                    n: "\(step)",
                    address: "/games?who=\(content.player.id)&game=\(entry.id)&level=\(step)#\(entry.id)",
                    label: texts.text("play.level.word"), isCurrent: step == game.step)
            }
        tiles = game.puzzles.filter { $0.step == game.step }.map { puzzle in
            let best = own.filter { $0.puzzle == puzzle.puzzle && $0.solved != nil }.min { $0.hints < $1.hints }
            let isWaiting = waiting.contains { $0.puzzle == puzzle.puzzle }
            return LobbyPage.Tile(
                puzzle: puzzle.puzzle, title: texts.puzzle(puzzle.puzzle, of: entry.id),
                figure: puzzle.picture.map { DrawnOutline($0) },
                note: isWaiting ? texts.text("play.goingon") : best == nil ? texts.text("play.new") : nil,
                stars: isWaiting ? nil : best?.stars(texts), isNext: puzzle.puzzle == game.next)
        }
        sets =
            game.sets.count < 2
            ? []
            : game.sets.enumerated().map { index, set in
                LobbyPage.Choice(value: set, text: texts.pieceSet(set), isChosen: index == 0)
            }
    }
}
