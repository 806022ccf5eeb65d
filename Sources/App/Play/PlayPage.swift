import Household
import Kinds
import HTTP

/// A member's play: the figure large, the pieces as they are laid, help, and the end with stars.
struct PlayPage: Page {
    static let template = "play"
    static let styles = ["game"]
    static let scripts = ["play"]

    struct Player { let name, letter, colour: String }

    struct Progress { let placed, needed, text: String }

    struct Done {
        let head, next: String
        /// The points for it; nil if they are not known any more.
        let text: String?
        let stars: Stars
    }

    let heading, play, lobby, frames, stream: String
    let player: Player
    /// Experience points, alone and in words.
    let xp, points: String
    let figure: DrawnFigure?
    let picture: String
    let table: BoardPage.Table?
    /// What to do; nil for a game without tasks.
    let task: String?
    let say: String
    let progress: Progress?
    let seen: String
    let done: Done?
    /// True if the player has played enough for today.
    let isOver: Bool

    init(_ open: OpenPlay, _ texts: PageTexts) {
        let (play, view) = (open.play, open.view)
        let title = play.title(texts)
        heading = title
        self.play = "\(play.id)"
        lobby = "/games?who=\(play.member)"
        frames = "/v1/plays/\(play.id)/frames"
        stream = open.stream
        let name = texts.person(open.player.name)
        player = Player(name: name, letter: PageTexts.letter(of: name), colour: "\(open.player.colour)")
        xp = "\(open.xp)"
        points = texts.text("play.points", ["n": "\(open.xp)", "level": "\(open.level)"])
        figure = view.figure.map { DrawnFigure($0) }
        let (placed, needed) = (view.standing.placed, view.standing.needed)
        picture =
            play.puzzle == nil
            ? texts.text("board.table")
            : texts.text("play.picture", ["x": title, "n": "\(placed ?? 0)", "all": "\(needed ?? 0)"])
        table = view.figure == nil ? BoardPage.Table(view.table) : nil
        task = Self.task(open, texts)
        say = Self.say(open, texts)
        if let placed, let needed, needed > 0 {
            progress = Progress(
                placed: "\(placed)", needed: "\(needed)",
                text: texts.done(placed, of: needed, in: play.game))
        } else {
            progress = nil
        }
        let unclear = view.table?.unclear_px?.count ?? 0
        seen =
            view.frames == 0
            ? texts.text("play.nocamera")
            : unclear > 0
                ? texts.text("play.seen.unclear", ["n": "\(unclear)"])
                : view.seen == 0
                    ? texts.text("play.seen.none", ["x": texts.game(play.game)])
                    : texts.text("play.seen", ["n": "\(view.seen)"])
        isOver = open.isOver
        done =
            play.solved == nil || view.isAnew
            ? nil
            : Done(
                head: texts.text("play.built", ["x": title]),
                next: texts.text("play.next"), text: view.awarded.map { texts.text("play.xp", ["n": "\($0)"]) },
                stars: Stars(hints: play.hints, texts))
    }

    private static func task(_ open: OpenPlay, _ texts: PageTexts) -> String? {
        open.view.standing.translations?[texts.language] ?? open.view.standing.task
    }

    /// The words for the player: the answer to what was laid last, the newest help, or how it begins.
    private static func say(_ open: OpenPlay, _ texts: PageTexts) -> String {
        let (view, hasFigure) = (open.view, open.play.puzzle != nil)
        if open.isOver { return texts.text("play.enough") }
        let kind = view.last?.report.outcome.kind
        if kind == .incorrectPlacement, view.last?.advice == nil { return texts.text("play.almost") }
        if let advice = view.advice {
            let key = "hint.\(advice.step.rawValue)"
            if hasFigure, texts.has(key) {
                return texts.text(key, ["piece": advice.type.map { texts.piece($0) } ?? ""])
            }
            return advice.key == "task"
                ? task(open, texts) ?? advice.text : texts.saying(advice) ?? texts.text("hint.look")
        }
        if let last = view.last, last.isUnansweredHint {
            return texts.text(view.frames == 0 ? "hint.first" : "board.why.\(last.report.outcome.reason)")
        }
        if !hasFigure, kind == .correctPlacement { return texts.text("play.fits") }
        return texts.text(hasFigure ? "play.layfigure" : "play.lay")
    }
}
