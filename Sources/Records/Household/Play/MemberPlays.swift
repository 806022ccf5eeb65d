import Core
import Foundation
import Kinds

// What members play with pictures of a browser's camera.
extension PlayActions {
    // MARK: Who plays

    /// Who may play on the device: everybody for an adult, oneself for others.
    package func players(for identity: Identity) throws -> [Member] {
        let members = try household.members().filter { $0.role != .guest || $0.id == identity.member?.id }
        return identity.role >= .adult ? members : members.filter { $0.id == identity.member?.id }
    }

    /// - Parameter id: nil for the first child that may play on the device, or else whoever uses it.
    /// - Throws: ``PlayProblem/noPlayer`` for somebody who may not play on it.
    package func player(_ id: Int64?, for identity: Identity) throws -> Member {
        let all = try players(for: identity)
        let usual = all.first { $0.role == .child } ?? all.first { $0.id == identity.member?.id }
        guard let found = id.map({ id in all.first { $0.id == id } }) ?? usual ?? all.first else {
            throw PlayProblem.noPlayer
        }
        return found
    }

    // MARK: Lobby

    /// - Parameters:
    ///   - step: of the puzzles to show; nil for that of the puzzle that fits the player.
    ///   - game: the game that it is for; nil for each.
    package func lobby(of id: Int64?, step: Int?, of game: String? = nil, for identity: Identity) async throws
        -> LobbyContent
    {
        let player = try player(id, for: identity)
        let own = try plays.plays(of: player.id)
        let (_, progress) = try plays.standing(of: player.id, in: Self.tangram)
        let today = plays.day(of: plays.now)
        return LobbyContent(
            players: try players(for: identity), player: player,
            games: try games().map { entry in
                let wanted = game == nil || game == entry.id ? step : nil
                return try lobbyGame(entry, step: wanted, of: player.id, own)
            },
            faults: identity.role >= .adult ? catalogue.own.sentences : [], xp: progress.xp, level: progress.level,
            plays: own, seconds: try plays.seconds(of: player.id, from: today, to: today)[today] ?? 0,
            limit: try plays.limit(of: player.id),
            boards: try await sessions(for: identity).filter { !$0.id.hasPrefix(Self.prefix) },
            maySetLimit: identity.role >= .adult && player.role == .child,
            needsPIN: try identity.holder != .key && self.own(identity, among: household.members())?.isLocked != true)
    }

    private func lobbyGame(
        _ entry: GameCatalogue.Entry, step: Int?, of member: Int64, _ plays: [Play]
    ) throws -> LobbyContent.Game {
        var game = LobbyContent.Game(entry: entry, sets: catalogue.pieceSets(of: entry.id))
        game.puzzles = figures(of: entry.id)
        guard !game.puzzles.isEmpty else { return game }
        let (skill, _) = try self.plays.standing(of: member, in: entry.id)
        let next = task(after: nil, of: entry.id, skill: skill, among: plays)?.puzzle
        let shown = game.puzzles.first { $0.step == step } ?? game.puzzles.first { $0.puzzle == next }
        (game.next, game.step) = (next, shown?.step)
        return game
    }

    package static let tangram = "tangram"
    static let prefix = "camera-play-"

    /// The play of a session; nil for the session of a board or a camera.
    static func play(of session: String) -> Int64? {
        session.hasPrefix(prefix) ? Int64(session.dropFirst(prefix.count)) : nil
    }

    // MARK: Plays

    /// Begins a task: the wanted figure, or the task that fits the player.
    ///
    /// - Throws: ``PlayProblem``.
    package func start(_ wanted: WantedPlay, for identity: Identity) async throws -> Play {
        let player = try player(wanted.player, for: identity)
        guard catalogue.knows(wanted.game) else { throw PlayProblem.badGame(wanted.game) }
        let sets = catalogue.pieceSets(of: wanted.game)
        let set = wanted.pieceSet ?? sets[0]
        guard sets.contains(set) else { throw PlayProblem.badSet(sets, of: wanted.game) }
        if let puzzle = wanted.puzzle, !catalogue.puzzles(of: wanted.game).contains(puzzle) {
            throw PlayProblem.badFigure(puzzle, of: wanted.game)
        }
        let (skill, _) = try plays.standing(of: player.id, in: wanted.game)
        let own = try plays.plays(of: player.id)
        // A request without a figure gets another figure; a game without figures is continued.
        if wanted.puzzle != nil || catalogue.puzzles(of: wanted.game).isEmpty,
            let open = own.first(where: { $0.isWaiting && $0.game == wanted.game && $0.puzzle == wanted.puzzle })
        {
            return open
        }
        let task = task(after: wanted.puzzle, of: wanted.game, skill: skill, among: own)
        return try plays.begin(
            wanted.game, pieceSet: set, puzzle: wanted.puzzle ?? task?.puzzle,
            difficulty: (task?.level ?? .normal).rawValue, by: player.id)
    }

    /// The task that the player most nearly solves in the wanted share of tries.
    ///
    /// - Parameter puzzle: only tasks of this figure; nil leaves out the figures that were solved last.
    private func task(after puzzle: String?, of game: String, skill: PlayerSkill, among own: [Play]) -> PlayTask? {
        let all = catalogue.tasks(of: game)
        let solved = Set(own.filter { $0.game == game && $0.solved != nil }.compactMap(\.puzzle))
        var fitting = all.filter { task in puzzle.map { $0 == task.puzzle } ?? !solved.contains(task.puzzle ?? "") }
        if fitting.isEmpty { fitting = all }
        return skill.next(among: fitting.map(\.difficulty)).map { fitting[$0] }
    }

    /// A play with what its page draws; its session begins if it does not run.
    ///
    /// - Throws: ``PlayProblem/noPlay``; ``PlayProblem/noPlayer`` for a play of somebody else.
    package func open(_ id: Int64, for identity: Identity) async throws -> OpenPlay {
        guard let play = try plays.play(id) else { throw PlayProblem.noPlay }
        let player = try player(play.member, for: identity)
        let session = Self.prefix + "\(id)"
        let (_, progress) = try plays.standing(of: play.member, in: play.game)
        try await tables.begin(
            PlayStart(
                session: session, player: player.name, game: play.game, pieceSet: play.pieceSet, puzzle: play.puzzle,
                difficulty: GameLevel(rawValue: play.difficulty) ?? .normal, progress: progress, state: play.state))
        guard let view = await tables.view(of: session) else { throw PlayProblem.noPlay }
        return OpenPlay(
            play: play, player: player, view: view, xp: view.last?.xp ?? progress.xp,
            level: view.last?.level ?? progress.level, isOver: try plays.isOver(for: play.member),
            session: PlaySession(
                id: session, game: play.game, set: play.pieceSet, board: player.name, frames: 0, lastLine: 0))
    }

    /// The longest pause between two pictures of a camera that counts as play.
    private static let longestPause = 5.0
    /// Seconds for which a table counts as played on after its pieces changed.
    private static let longestThought = 60.0
    /// The longest time between two photos that counts as play as a whole, if the pieces changed meanwhile.
    private static let longestTurn = 600.0
    /// Seconds of play that are written at once.
    private static let written = 3.0

    /// Reads a picture of a play.
    ///
    /// - Parameter isStill: true for a photo, false for one picture of a camera's many.
    /// - Throws: ``PlayProblem``, such as ``PlayProblem/enough(_:)`` and ``PlayProblem/busy``.
    package func take(_ picture: Data, isStill: Bool = false, in id: Int64, for identity: Identity) async throws
        -> PlayView
    {
        let opened = try await open(id, for: identity)
        guard !opened.isOver else { throw PlayProblem.enough(opened.player.name) }
        let taken = try await tables.take(picture, isStill: isStill, in: Self.prefix + "\(id)")
        let saved = taken.lines.isEmpty ? nil : try await tables.saved(Self.prefix + "\(id)")
        let now = plays.now
        var change = PlayChange()
        let since = lastPictures[id].map { now.timeIntervalSince($0) } ?? 0
        lastPictures[id] = now
        let pieces = taken.view.table?.pieces ?? []
        let isSame = lastChanges[id].map { Self.areSame($0.pieces, pieces) } ?? false
        if taken.lines.contains(where: { $0.report.outcome.kind != .noAction }) || !isSame {
            lastChanges[id] = (now, pieces)
        }
        if isStill {
            // Whoever sends photos lays pieces between them. After a longer pause, or where nothing changed, somebody
            // thought about it at most.
            let isTurn = !isSame && since <= Self.longestTurn
            unwritten[id, default: 0] += isTurn ? max(since, 0) : min(max(since, 0), Self.longestThought)
        } else if let changed = lastChanges[id]?.at, now.timeIntervalSince(changed) <= Self.longestThought {
            // A camera before a table where nobody plays is no play.
            unwritten[id, default: 0] += min(max(since, 0), Self.longestPause)
        }
        let seconds = unwritten[id] ?? 0
        guard !taken.lines.isEmpty || seconds >= Self.written else { return taken.view }
        unwritten[id] = 0
        change.seconds = seconds
        _ = put(saved, of: id, into: &change)
        try count(taken, of: opened.play, &change)
        _ = try plays.change(id, change)
        return taken.view
    }

    /// True if no piece came, went or was moved further than a camera trembles.
    private static func areSame(_ one: [RecognizedPiece], _ other: [RecognizedPiece]) -> Bool {
        one.count == other.count
            && one.allSatisfy { piece in
                other.contains {
                    $0.type == piece.type && abs($0.xMM - piece.xMM) + abs($0.yMM - piece.yMM) < tremor
                }
            }
    }
    /// Millimetres.
    private static let tremor = 8.0

    /// Reads a picture of a watched folder for the play that a member began last and has not ended.
    ///
    /// - Parameter name: in any spelling.
    /// - Returns: false if nobody of this name plays.
    /// - Throws: ``PlayProblem``.
    package func take(_ picture: Data, ofMember name: String) async throws -> Bool {
        guard let member = try household.member(named: name),
            let play = try plays.plays(of: member.id).first(where: \.isWaiting)
        else { return false }
        // Whoever may write into the watched folder may play; the minutes a day hold.
        let identity = Identity(holder: .key, member: .init(member), role: .adult, isOpen: false)
        _ = try await take(picture, isStill: true, in: play.id, for: identity)
        return true
    }

    /// Passes a request to the game of a play.
    package func act(_ action: GameAction, in id: Int64, for identity: Identity) async throws -> OpenPlay {
        let opened = try await open(id, for: identity)
        guard let line = try await tables.play(action, in: Self.prefix + "\(id)") else { throw PlayProblem.noPlay }
        try await keep(line, after: action, in: id)
        return try await open(opened.play.id, for: identity)
    }

    /// Stores what a request changed in a play, so that it lasts when the session ends.
    func keep(_ line: GameLine, after action: GameAction, in id: Int64) async throws {
        let saved = try await tables.saved(Self.prefix + "\(id)")
        var change = PlayChange()
        if action == .hint, line.advice != nil { change.hints = 1 }
        if put(saved, of: id, into: &change), action == .reset {
            (change.state, change.placed) = (nil, nil)
            try plays.reset(id)
        }
        _ = try plays.change(id, change)
    }

    /// - Returns: false if a later game of this play is stored, which stays.
    private func put(_ saved: SavedPlay?, of id: Int64, into change: inout PlayChange) -> Bool {
        guard let saved, saved.number > savedGames[id] ?? 0 else { return false }
        savedGames[id] = saved.number
        (change.state, change.placed, change.needed) = (saved.state, saved.standing.placed, saved.standing.needed)
        return true
    }

    /// Ends a play for now: it can continue later from where it is.
    package func leave(_ id: Int64, for identity: Identity) async throws {
        let opened = try await open(id, for: identity)
        await tables.end(Self.prefix + "\(id)")
        (lastPictures[id], unwritten[id], lastChanges[id]) = (nil, nil, nil)
        // Somebody who tried for a minute without getting there found it hard.
        guard opened.play.isWaiting, opened.play.seconds >= 60, !opened.play.isLeft else { return }
        try plays.leave(id)
        try count(opened.play, isSolved: false, progress: nil)
    }

    private func count(_ taken: TakenPicture, of play: Play, _ change: inout PlayChange) throws {
        guard !taken.lines.isEmpty else { return }
        let kinds = taken.lines.map(\.report.outcome.kind)
        // Nobody asked for help that the game offers by itself, so it does not count as a hint.
        change.misses = kinds.count { $0 == .incorrectPlacement }
        change.isSolved = kinds.contains(.levelComplete)
        guard change.isSolved, play.solved == nil else { return }
        var done = play
        done.seconds += change.seconds
        try count(done, isSolved: true, progress: taken.progress)
    }

    private func count(_ play: Play, isSolved: Bool, progress: PlayerProgress?) throws {
        var (skill, known) = try plays.standing(of: play.member, in: play.game)
        let level = GameLevel(rawValue: play.difficulty)
        if let task = catalogue.tasks(of: play.game).first(where: { $0.puzzle == play.puzzle && $0.level == level }) {
            skill.count(
                .init(difficulty: task.difficulty, isSolved: isSolved, seconds: play.seconds, hints: play.hints))
        }
        if let progress { known = progress }
        try plays.setStanding(skill, known, of: play.member, in: play.game)
    }

    private func own(_ identity: Identity, among members: [Member]) -> Member? {
        members.first { $0.id == identity.member?.id }
    }

    /// A child may take the phone of an adult and choose any picture. So only somebody with a PIN sets a limit, and nobody
    /// else raises it.
    ///
    /// - Parameters:
    ///   - minutes: nil for as long as one likes.
    ///   - pin: chosen together with the limit by somebody who has none; it replaces no other.
    /// - Throws: `IdentityProblem.locked` while the private pages of whoever sets it are locked, ``PlayProblem/noPlayer``,
    ///   ``PlayProblem/badLimit``, ``PlayProblem/needsPIN``, ``PlayProblem/limited(by:)``, ``HouseholdProblem/badPIN(_:)``.
    ///   Neither limit nor PIN is set then.
    package func setLimit(
        _ minutes: Int?, of id: Int64, for identity: Identity, choosing pin: String? = nil
    ) async throws -> Member {
        if !identity.isOpen { throw IdentityProblem.locked(try identity.person()) }
        let player = try player(id, for: identity)
        if let minutes, !Plays.limits.contains(minutes) { throw PlayProblem.badLimit }
        if identity.holder != .key {
            let members = try household.members()
            guard let own = self.own(identity, among: members), own.isLocked || (pin != nil && locks != nil) else {
                throw PlayProblem.needsPIN
            }
            let setter = try plays.setterOfLimit(of: player.id)
            if let setter = members.first(where: { $0.id == setter }), setter.id != own.id, setter.isLocked,
                try (minutes ?? .max) > plays.limit(of: player.id) ?? .max
            {
                throw PlayProblem.limited(by: setter.name)
            }
            if !own.isLocked { try await locks?.setPIN(pin, for: identity) }
        }
        try plays.setLimit(minutes, of: player.id, by: identity.member?.id)
        return player
    }
}

extension Play {
    /// True for a play that can continue.
    package var isWaiting: Bool { solved == nil }
}

/// What a player wants to play.
package struct WantedPlay: Decodable, Sendable {
    /// The member's number; nil for whoever uses the device.
    package var player: Int64?
    package var game: String
    /// Nil for the figure that fits the player.
    package var puzzle: String?
    /// Nil for the usual set of the game.
    package var pieceSet: String?

    package init(player: Int64? = nil, game: String, puzzle: String? = nil, pieceSet: String? = nil) {
        (self.player, self.game, self.puzzle, self.pieceSet) = (player, game, puzzle, pieceSet)
    }
}

/// A play as its page shows it.
package struct OpenPlay: Sendable {
    package var play: Play
    package var player: Member
    package var view: PlayView
    /// Experience points, and the level that they make.
    package var xp, level: Int
    /// True if the player has played as long as an adult allows today.
    package var isOver: Bool
    package var session: PlaySession
}

/// What the page Games shows.
package struct LobbyContent: Sendable {
    /// A game that can be begun, of the program or of one's own.
    package struct Game: Sendable {
        package var entry: GameCatalogue.Entry
        /// The piece sets, the usual one first.
        package var sets: [String]
        /// The figures or puzzles to choose from, easiest first; empty for a game without them.
        package var puzzles: [PlayFigure] = []
        /// The step of the puzzles that are shown; nil without puzzles.
        package var step: Int?
        /// The puzzle that fits the player.
        package var next: String?

        package init(entry: GameCatalogue.Entry, sets: [String]) { (self.entry, self.sets) = (entry, sets) }
    }

    package var players: [Member]
    package var player: Member
    package var games: [Game]
    /// What is wrong with folders of games of one's own, for an adult.
    package var faults: [String] = []
    package var xp, level: Int
    /// The player's plays, newest first.
    package var plays: [Play]
    /// Played today.
    package var seconds: Double
    /// Minutes a day.
    package var limit: Int?
    /// Sessions of boards and cameras of the house.
    package var boards: [PlaySession]
    package var maySetLimit: Bool
    /// True for somebody who chooses a PIN together with the first limit.
    package var needsPIN = false
}
