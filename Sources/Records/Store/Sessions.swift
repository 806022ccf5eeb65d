import Foundation
import GRDB
import Core

/// One session of a board: the photos of one folder as consecutive frames.
package struct StoredSession: Sendable, Hashable, Decodable, FetchableRecord {
    /// The session's name in streams and requests; never reused.
    package var id: String
    /// The folder of the session's photos.
    package var board: FilePathBytes
    /// Number of the session on its board, from 1.
    package var number: Int64
    package var pieceSet: String
    /// The game; nil if none is played.
    package var game: String?
    /// Modification time of the first photo, in nanoseconds since 1970. Frame times are relative to it.
    package var began: Int64

    package init(id: String, board: FilePathBytes, number: Int64, pieceSet: String, game: String?, began: Int64) {
        self.id = id
        self.board = board
        self.number = number
        self.pieceSet = pieceSet
        self.game = game
        self.began = began
    }
}

/// One photo's contribution to its board's session.
package struct NewCapture: Sendable {
    package var session: StoredSession
    /// Number of the capture in the session, from 1.
    package var seq: Int
    /// Nanoseconds since the start of the session.
    package var time: Int
    /// The photo's pieces before tracking, as JSON.
    package var capture: Data
    package var lines: [StreamEvent]
    /// The game's state after the capture; nil without a game.
    package var state: Data?

    package init(session: StoredSession, seq: Int, time: Int, capture: Data, lines: [StreamEvent], state: Data?) {
        self.session = session
        self.seq = seq
        self.time = time
        self.capture = capture
        self.lines = lines
        self.state = state
    }
}

/// A session with everything that is needed to continue it.
package struct LeftSession: Sendable {
    package var session: StoredSession
    /// All captures with their times, oldest first.
    package var captures: [(time: Int, capture: Data)]
    /// Number of the last line; 0 before the first.
    package var lastLine: Int64
    package var state: Data?
}

package struct SessionSummary: Sendable, Hashable {
    package var session: StoredSession
    package var frames: Int
    package var lastLine: Int64
}

/// A session got other lines after these were made. Nothing of them is stored; the caller makes them again.
package struct SessionChanged: Error {}

extension Migration {
    static let sessions = Migration(
        "4 sessions of boards",
        """
        CREATE TABLE session (
            id TEXT PRIMARY KEY, board BLOB NOT NULL, number INTEGER NOT NULL, pieceSet TEXT NOT NULL, game TEXT,
            began INTEGER NOT NULL, state BLOB, UNIQUE (board, number)
        ) STRICT;
        -- The pieces of each photo before tracking; a restart tracks them again.
        CREATE TABLE look (
            session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL, time INTEGER NOT NULL, json BLOB NOT NULL, PRIMARY KEY (session, seq)
        ) STRICT, WITHOUT ROWID;
        -- The stream's lines as published.
        CREATE TABLE line (
            session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            number INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (session, number)
        ) STRICT, WITHOUT ROWID;
        """)
}

extension NewCapture {
    /// Number of sessions kept per board, including the running one.
    private static let keptSessions: Int64 = 3

    /// Stores the capture and its lines in the transaction of the photo's outcome.
    ///
    /// - Throws: ``SessionChanged``.
    func insert(_ database: Database) throws {
        let board = session.board
        try database.execute(
            literal: """
                INSERT INTO session (id, board, number, pieceSet, game, began, state) VALUES (\(session.id), \(board),
                    \(session.number), \(session.pieceSet), \(session.game), \(session.began), \(state))
                ON CONFLICT (id) DO UPDATE SET state = excluded.state
                """)
        try database.execute(
            literal: "INSERT INTO look (session, seq, time, json) VALUES (\(session.id), \(seq), \(time), \(capture))")
        for line in lines { try Self.append(line, to: session.id, database) }
        try database.execute(
            literal: "DELETE FROM session WHERE board = \(board) AND number <= \(session.number - Self.keptSessions)")
    }
}

extension NewCapture {
    /// - Throws: ``SessionChanged`` if another line has the number, or the line before is missing.
    fileprivate static func append(_ line: StreamEvent, to session: String, _ database: Database) throws {
        let last = try Int64.fetchOne(database, literal: "SELECT max(number) FROM line WHERE session = \(session)")
        guard line.number == (last ?? 0) + 1 else { throw SessionChanged() }
        try database.execute(
            literal: """
                INSERT INTO line (session, number, kind, body)
                VALUES (\(session), \(line.number), \(line.kind), \(line.body))
                """)
    }
}

extension StreamEvent: FetchableRecord {}

extension OutcomeStore {
    package func lastSession(of board: FilePathBytes) throws -> LeftSession? {
        try read { database in
            guard
                let row = try Row.fetchOne(
                    database, literal: "SELECT * FROM session WHERE board = \(board) ORDER BY number DESC LIMIT 1")
            else { return nil }
            let session = try StoredSession(row: row)
            let id = session.id
            let captures = try Row.fetchAll(
                database, literal: "SELECT time, json FROM look WHERE session = \(id) ORDER BY seq")
            let last = try Int64.fetchOne(database, literal: "SELECT max(number) FROM line WHERE session = \(id)")
            return LeftSession(
                session: session, captures: captures.map { ($0[0], $0[1]) }, lastLine: last ?? 0, state: row["state"])
        }
    }

    /// All kept sessions, by board and number.
    package func sessions() throws -> [SessionSummary] {
        try read(
            Row.fetchAll,
            """
            SELECT session.*, (SELECT count(*) FROM look WHERE look.session = session.id) AS frames,
                (SELECT max(number) FROM line WHERE line.session = session.id) AS lastLine
            FROM session ORDER BY board, number
            """
        ).map {
            SessionSummary(session: try StoredSession(row: $0), frames: $0["frames"], lastLine: $0["lastLine"] ?? 0)
        }
    }

    /// Lines of a session after this number, in order.
    package func lines(ofSession id: String, after number: Int64, limit: Int) throws -> [StreamEvent] {
        try read(
            StreamEvent.fetchAll,
            "SELECT * FROM line WHERE session = \(id) AND number > \(number) ORDER BY number LIMIT \(limit)")
    }

    /// Adds a line that no photo made, such as a hint, and the game's state after it.
    ///
    /// - Throws: ``SessionChanged``.
    package func append(_ line: StreamEvent, to session: String, state: Data?) throws {
        try write { database in
            try NewCapture.append(line, to: session, database)
            try database.execute(literal: "UPDATE session SET state = \(state) WHERE id = \(session)")
        }
    }

    /// The last lines of a session of one kind, oldest first.
    package func lastLines(ofSession id: String, kind: String, limit: Int) throws -> [StreamEvent] {
        try read(
            StreamEvent.fetchAll,
            "SELECT * FROM line WHERE session = \(id) AND kind = \(kind) ORDER BY number DESC LIMIT \(limit)"
        ).reversed()
    }

    /// The content of the newest photo of a board that was read; nil without one.
    package func newestContent(below board: FilePathBytes) throws -> String? {
        // All paths below the folder are between these two: "0" follows "/".
        let (first, end) = (Data(board.bytes + [UInt8(ascii: "/")]), Data(board.bytes + [UInt8(ascii: "0")]))
        return try read(
            String.fetchOne,
            """
            SELECT content FROM photo WHERE path > \(first) AND path < \(end) AND state = 'done'
                AND content IS NOT NULL AND EXISTS (SELECT 1 FROM outcome WHERE outcome.photo = photo.id)
            ORDER BY modified DESC, id DESC LIMIT 1
            """)
    }
}
