import Core
import Foundation
import GRDB
import Kinds
import Store

/// A task that a member plays: a figure, or a game of a difficulty.
package struct Play: Sendable, Hashable, Decodable, FetchableRecord, TableRecord {
    package var id: Int64
    package var member: Int64
    package var game: String
    package var pieceSet: String
    package var puzzle: String?
    /// `easy`, `normal` or `hard`.
    package var difficulty: String
    /// The game's state, for going on; nil before the first request, and the first picture that changed something.
    package var state: Data?
    package var placed: Int?
    package var needed: Int?
    package var hints: Int
    package var misses: Int
    /// Seconds with pictures.
    package var seconds: Double
    package var begun: Date
    package var updated: Date
    /// Nil while it is open.
    package var solved: Date?
    /// True after a player chose to play something else.
    package var isLeft: Bool
}

/// What a picture, a hint or a miss changes of a play.
package struct PlayChange: Sendable {
    package var state: Data?
    package var placed: Int?
    package var needed: Int?
    package var hints = 0
    package var misses = 0
    package var seconds = 0.0
    package var isSolved = false

    package init() {}
}

/// What members play, their progress, and how long they may play.
package struct Plays: Sendable {
    private let store: OutcomeStore
    private let clock: @Sendable () -> Date
    private let zone: TimeZone

    /// - Parameter zone: where a day begins.
    package init(
        _ store: OutcomeStore, zone: TimeZone = .current, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.zone = zone
        clock = now
    }

    package var now: Date { clock() }

    /// Days since 1970 in the house's time zone.
    package func day(of instant: Date) -> Int {
        Int((instant.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: instant))) / 86_400)
    }

    // MARK: Plays

    /// Begins a play; the member's other open plays of the game are kept for going on.
    package func begin(
        _ game: String, pieceSet: String, puzzle: String?, difficulty: String, by member: Int64
    ) throws -> Play {
        let now = Int(clock().timeIntervalSince1970)
        return try store.write { database in
            try database.execute(
                literal: """
                    INSERT INTO play (member, game, pieceSet, puzzle, difficulty, hints, misses, seconds, begun, updated,
                        isLeft) VALUES (\(member), \(game), \(pieceSet), \(puzzle), \(difficulty), 0, 0, 0, \(now), \(now), FALSE)
                    """)
            return try Play.find(database, key: database.lastInsertedRowID)
        }
    }

    package func play(_ id: Int64) throws -> Play? { try store.read { try Play.fetchOne($0, key: id) } }

    /// The member's plays, newest first.
    package func plays(of member: Int64, since: Date = .distantPast, limit: Int = 500) throws -> [Play] {
        let since = since == .distantPast ? 0 : Int(since.timeIntervalSince1970)
        let played = Play.filter(Column("member") == member && Column("updated") >= since)
        return try store.read(played.order(Column("updated").desc, Column("id").desc).limit(limit).fetchAll)
    }

    /// Changes a play, and counts its time for the day.
    ///
    /// - Returns: the play afterwards; nil if it is gone.
    package func change(_ id: Int64, _ change: PlayChange) throws -> Play? {
        let (now, day) = (Int(clock().timeIntervalSince1970), day(of: clock()))
        return try store.write { database in
            try database.execute(
                literal: """
                    UPDATE play SET state = coalesce(\(change.state), state), updated = \(now),
                        placed = coalesce(\(change.placed), placed), needed = coalesce(\(change.needed), needed),
                        hints = hints + \(change.hints), misses = misses + \(change.misses),
                        seconds = seconds + \(change.seconds),
                        solved = CASE WHEN \(change.isSolved) AND solved IS NULL THEN \(now) ELSE solved END
                    WHERE id = \(id)
                    """)
            guard let play = try Play.fetchOne(database, key: id) else { return nil }
            if change.seconds > 0 {
                try database.execute(
                    literal: """
                        INSERT INTO play_day VALUES (\(play.member), \(day), \(change.seconds))
                        ON CONFLICT (member, day) DO UPDATE SET seconds = seconds + excluded.seconds
                        """)
            }
            return play
        }
    }

    /// Says that a player chose something else.
    package func leave(_ id: Int64) throws {
        try store.execute(literal: "UPDATE play SET isLeft = TRUE WHERE id = \(id)")
    }

    /// Forgets what is laid, so that the play begins again; its time and its hints stay.
    package func reset(_ id: Int64) throws {
        try store.execute(literal: "UPDATE play SET state = NULL, placed = NULL WHERE id = \(id)")
    }

    // MARK: Progress

    /// What the member can do in a game, by estimate, and the progress.
    func standing(of member: Int64, in game: String) throws -> (skill: PlayerSkill, progress: PlayerProgress) {
        let row = try store.read(
            Row.fetchOne, "SELECT skill, progress FROM play_progress WHERE member = \(member) AND game = \(game)")
        guard let row else { return (PlayerSkill(), PlayerProgress()) }
        return (
            try JSONCoding.decode(PlayerSkill.self, from: row["skill"]),
            try JSONCoding.decode(PlayerProgress.self, from: row["progress"])
        )
    }

    func setStanding(_ skill: PlayerSkill, _ progress: PlayerProgress, of member: Int64, in game: String) throws {
        let (progress, skill) = (try JSONCoding.encode(progress), try JSONCoding.encode(skill))
        try store.execute(
            literal: "INSERT OR REPLACE INTO play_progress VALUES (\(member), \(game), \(progress), \(skill))")
    }

    // MARK: Time

    /// Seconds of play by day; days without play are left out.
    package func seconds(of member: Int64, from first: Int, to last: Int) throws -> [Int: Double] {
        try store.read(
            Row.fetchAll,
            "SELECT day, seconds FROM play_day WHERE member = \(member) AND day BETWEEN \(first) AND \(last)"
        ).reduce(into: [:]) { $0[$1["day"]] = $1["seconds"] }
    }

    /// Minutes a day that an adult allows; nil for as many as one likes.
    package func limit(of member: Int64) throws -> Int? {
        try store.read(Int.fetchOne, "SELECT minutes FROM play_limit WHERE member = \(member)")
    }

    /// Minutes a day that a limit may be.
    package static let limits = 1...600

    /// - Parameters:
    ///   - minutes: of ``limits``; nil for as many as one likes.
    ///   - setter: the adult who alone may raise it; nil for whoever runs the daemon.
    /// - Throws: ``PlayProblem/badLimit``: nobody gets another limit than the one that was typed.
    package func setLimit(_ minutes: Int?, of member: Int64, by setter: Int64? = nil) throws {
        if let minutes, !Self.limits.contains(minutes) { throw PlayProblem.badLimit }
        try store.execute(
            literal: minutes == nil
                ? "DELETE FROM play_limit WHERE member = \(member)"
                : "INSERT OR REPLACE INTO play_limit VALUES (\(member), \(minutes), \(setter))")
    }

    /// The adult who set the limit; nil without one, and for one of an earlier version.
    package func setterOfLimit(of member: Int64) throws -> Int64? {
        try store.read(Int64.fetchOne, "SELECT setBy FROM play_limit WHERE member = \(member) AND setBy IS NOT NULL")
    }

    /// True if the member has played today as long as an adult allows.
    package func isOver(for member: Int64) throws -> Bool {
        guard let limit = try limit(of: member) else { return false }
        let today = day(of: clock())
        return try seconds(of: member, from: today, to: today)[today] ?? 0 >= Double(limit * 60)
    }
}
