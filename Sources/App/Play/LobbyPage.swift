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
        let figure: DrawnOutline
        let note: String?
        let stars: Stars?
        let isNext: Bool
    }

    struct Choice {
        let value, text: String
        let isChosen: Bool
    }

    struct Game {
        let id, picture, title, text, facts: String
        /// What it practises; nil if nothing is named.
        let skills: String?
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
    let steps: [Step]
    let tiles: [Tile]
    let sets: [Choice]
    let games: [Game]
    /// What is wrong with folders of games of one's own.
    let faults: [Fault]
    let today: String
    /// The field of an adult who bounds a child's minutes.
    let limit: Limit?
    /// The newest first.
    let boards: [Board]
    let error: String?

    private static let mostSteps = 5

    /// - Parameter minutes: a limit that was typed and is not set.
    init(_ content: LobbyContent, _ texts: PageTexts, minutes typed: String? = nil, error: Problem? = nil) {
        let player = content.player
        heading = texts.text("games.head")
        who = "\(player.id)"
        players = content.players.map { PlayerChoice($0, isCurrent: $0.id == player.id, texts) }
        report = "/games/report?who=\(player.id)"
        points = texts.text("play.points", ["n": "\(content.xp)", "level": "\(content.level)"])
        let figures = Dictionary(content.figures.map { ($0.puzzle, $0) }, uniquingKeysWith: { first, _ in first })
        let waiting = content.plays.filter { $0.isWaiting && $0.state != nil }
        goOn = waiting.first.map { play in
            GoOn(
                address: "/play/\(play.id)", title: play.title(texts), facts: Self.facts(play, texts),
                figure: play.puzzle.flatMap { figures[$0] }.map { DrawnOutline($0.picture) })
        }
        steps = (1...Self.mostSteps).map { step in
            Step(
                n: "\(step)", address: "/games?who=\(player.id)&level=\(step)", label: texts.text("play.level.word"),
                isCurrent: step == content.step)
        }
        tiles = content.figures.filter { $0.step == content.step }.map { figure in
            let own = content.plays.filter { $0.puzzle == figure.puzzle && $0.game == PlayActions.tangram }
            let best = own.filter { $0.solved != nil }.min { $0.hints < $1.hints }
            let isWaiting = waiting.contains { $0.puzzle == figure.puzzle }
            return Tile(
                puzzle: figure.puzzle, title: texts.puzzle(figure.puzzle, of: PlayActions.tangram),
                figure: DrawnOutline(figure.picture),
                note: isWaiting ? texts.text("play.goingon") : best == nil ? texts.text("play.new") : nil,
                stars: isWaiting ? nil : best?.stars(texts), isNext: figure.puzzle == content.next)
        }
        sets = content.sets.enumerated().map { index, set in
            Choice(value: set, text: texts.text("set.\(set)"), isChosen: index == 0)
        }
        games = content.games.filter { $0.id != PlayActions.tangram }.map { game in
            let solved = content.plays.count { $0.game == game.id && $0.solved != nil }
            let age = texts.text("games.age", ["n": "\(game.recommendedAge.first ?? 0)"])
            let done = solved == 0 ? nil : texts.text("play.donetimes", ["n": "\(solved)"])
            let open = waiting.contains { $0.game == game.id } ? texts.text("play.goingon") : nil
            return Game(
                id: game.id, picture: GameCatalogue.isBuiltIn(game.id) ? game.id : "own", title: texts.game(game.id),
                text: texts.has("game.\(game.id).text") ? texts.text("game.\(game.id).text") : game.description,
                facts: [age, done, open].compactMap { $0 }.joined(separator: ", "),
                skills: game.skills.isEmpty
                    ? nil : game.skills.map { texts.skill($0, of: game.id) }.joined(separator: ", "))
        }
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
