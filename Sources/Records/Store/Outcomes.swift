import Foundation
import GRDB
import Core

package struct FinishedPhoto: Sendable {
    package var content: String?
    /// The part of the request that the readings depend on: version, domain, piece set and models.
    package var asked: String
    /// Readings to store; nil if they are stored already or must not be reused.
    package var answer: ReadAnswer?
    package var status: Outcome.Status
    /// The outcome as JSON, byte for byte as in its sidecar.
    package var json: Data
    /// The event to publish; nil publishes none.
    package var event: NewEvent?
    /// The photo's capture in its board's session; nil for a photo outside a board.
    package var capture: NewCapture?
    /// What lists show of the outcome; nil computes it later.
    package var summary: OutcomeSummary?

    package init(
        content: String?, asked: String, answer: ReadAnswer?, status: Outcome.Status, json: Data,
        event: NewEvent? = nil, capture: NewCapture? = nil, summary: OutcomeSummary? = nil
    ) {
        self.content = content
        self.asked = asked
        self.answer = answer
        self.status = status
        self.json = json
        self.event = event
        self.capture = capture
        self.summary = summary
    }
}

/// A sidecar that is on the disk, with the outcome that it holds.
package struct WrittenSidecar: Sendable {
    /// The id of the photo's row.
    package var photo: Int64
    /// The outcome as JSON, as in ``FinishedPhoto/json``.
    package var json: Data

    package init(photo: Int64, json: Data) {
        self.photo = photo
        self.json = json
    }
}

extension OutcomeStore {
    package func answer(for content: String, asked: String) throws -> ReadAnswer? {
        let data = try read(Data.fetchOne, "SELECT answer FROM reading WHERE content = \(content) AND asked = \(asked)")
        // A record in an older format is read again by a worker, so it is not an error.
        return data.flatMap { try? JSONCoding.decode(ReadAnswer.self, from: $0) }
    }

    /// Finishes a photo whose content and request already have an outcome, for example after touch(1) or a move.
    ///
    /// - Returns: false if there is no such outcome.
    package func finishUnchanged(_ photo: QueuedPhoto, content: String, asked: String) throws -> Bool {
        let isKnown =
            try read(
                Int.fetchOne,
                """
                SELECT 1 FROM photo JOIN outcome ON outcome.photo = photo.id
                WHERE photo.id = \(photo.id) AND photo.version = \(photo.version) AND photo.content = \(content)
                    AND photo.asked = \(asked)
                """) != nil
        guard isKnown else { return false }
        return try execute(
            literal: "UPDATE photo SET state = 'done' WHERE id = \(photo.id) AND version = \(photo.version)") == 1
    }

    /// Stores the readings, the outcome and the end of the job in one transaction.
    ///
    /// - Parameter written: sidecars that are on the disk; they are marked in the same transaction.
    /// - Returns: false if the file changed meanwhile; then no result is stored and the file stays queued.
    /// - Throws: ``SessionChanged`` if the session of the photo's board changed since its capture was made.
    @discardableResult
    package func finish(
        _ photo: QueuedPhoto, _ finished: FinishedPhoto, noting written: [WrittenSidecar] = []
    ) throws -> Bool {
        let reading = try finished.answer.map { try JSONCoding.encode($0) }
        return try write { database in
            try Self.note(written, database)
            let changed = try database.changes(
                """
                UPDATE photo SET state = 'done', content = \(finished.content), asked = \(finished.asked)
                WHERE id = \(photo.id) AND version = \(photo.version)
                """)
            // Nothing of a changed file is stored. Otherwise its readings could be reused for other files with the same
            // hash.
            guard changed == 1 else { return false }
            if let content = finished.content, let reading {
                try database.execute(
                    literal: "INSERT OR REPLACE INTO reading VALUES (\(content), \(finished.asked), \(reading))")
            }
            try database.execute(
                literal: """
                    INSERT OR REPLACE INTO outcome (photo, status, json)
                    VALUES (\(photo.id), \(finished.status.rawValue), \(finished.json))
                    """)
            if let summary = finished.summary {
                try Self.insert(summary, of: photo.id, made: Date().timeIntervalSince1970, database)
            } else {
                try database.execute(literal: "UPDATE summary SET isStale = 1 WHERE photo = \(photo.id)")
            }
            try finished.event?.insert(database)
            try finished.capture?.insert(database)
            try database.execute(
                literal: "UPDATE photo SET session = \(finished.capture?.session.id) WHERE id = \(photo.id)")
            return true
        }
    }

    /// Marks these sidecars as written, except where the outcome was replaced since: then the newer one is still to be
    /// written. An unmarked sidecar is written again at the next start.
    package func markSidecarsWritten(_ written: [WrittenSidecar]) throws {
        try write { try Self.note(written, $0) }
    }

    private static func note(_ written: [WrittenSidecar], _ database: Database) throws {
        for sidecar in written where try isCurrent(sidecar.json, of: sidecar.photo, database) {
            try database.execute(literal: "UPDATE outcome SET sidecarWritten = 1 WHERE photo = \(sidecar.photo)")
        }
    }

    /// Outcomes whose sidecars were not written, for example because the previous run was killed.
    package func unwrittenSidecars() throws -> [(photo: QueuedPhoto, json: Data)] {
        try read(
            Row.fetchAll,
            """
            SELECT photo.*, json FROM outcome JOIN photo ON photo.id = outcome.photo
            WHERE sidecarWritten = 0 ORDER BY photo.id
            """
        ).map { (try QueuedPhoto(row: $0), $0["json"]) }
    }

    /// Number of files by status.
    package func counts() throws -> [Outcome.Status: Int] {
        try counts("SELECT status, count(*) FROM outcome GROUP BY status").reduce(into: [:]) { counts, row in
            Outcome.Status(rawValue: row.key).map { counts[$0] = row.value }
        }
    }

    /// Number of files with an outcome, without reading the outcomes.
    package func outcomeCount() throws -> Int {
        try read(Int.fetchOne, "SELECT count(*) FROM summary") ?? 0
    }

    /// The outcome of the file at this path, byte for byte as in its sidecar, or nil.
    package func outcomeJSON(forPath path: FilePathBytes) throws -> Data? {
        try read(Data.fetchOne, "SELECT json FROM outcome JOIN photo ON photo.id = outcome.photo WHERE path = \(path)")
    }

    /// True if anything is stored about this content.
    package func isKnown(_ content: String) throws -> Bool {
        try read { database in
            try ["photo", "reading", "review", "quarantine"].contains { table in
                try Int.fetchOne(database, literal: "SELECT 1 FROM \(sql: table) WHERE content = \(content) LIMIT 1")
                    != nil
            }
        }
    }

    /// The content id of the file at this path; nil if unknown.
    package func content(ofPath path: FilePathBytes) throws -> String? {
        try read(String.fetchOne, "SELECT content FROM photo WHERE path = \(path)")
    }

    /// Contents that have an outcome, newest first.
    package func latestContents(limit: Int) throws -> [String] {
        try read(
            String.fetchAll,
            """
            SELECT DISTINCT content FROM photo JOIN outcome ON outcome.photo = photo.id
            WHERE content IS NOT NULL ORDER BY photo.id DESC LIMIT \(limit)
            """)
    }

    /// The outcome of a content, byte for byte as in its sidecar. If several files share the content, the first one's.
    package func outcomeJSON(forContent content: String) throws -> Data? {
        try read(
            Data.fetchOne,
            """
            SELECT json FROM outcome JOIN photo ON photo.id = outcome.photo WHERE content = \(content)
            ORDER BY photo.id LIMIT 1
            """)
    }

    /// ``outcomeJSON(forContent:)``, decoded.
    package func outcome(forContent content: String) throws -> Outcome? {
        try outcomeJSON(forContent: content).map { json in
            try decoded.value(of: content, in: json) { try JSONCoding.decode(Outcome.self, from: $0) }
        }
    }
}
