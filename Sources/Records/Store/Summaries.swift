import Core
import Foundation
import GRDB

package struct OutcomeSummary: Sendable, Hashable, Codable {
    /// The name of the product or the heading of the menu; nil if the photo names nothing.
    package var title: String?
    package var status: Outcome.Status
    /// The reason's code if the status is not `completed`.
    package var reason: String?
    package var domains: [Outcome.Domain]
    package var level: Confidence.Level
    /// Number of dishes of a menu.
    package var dishes: Int
    /// Number of dishes, labels and products by their most serious verdict over all people.
    package var worst: [String: Int]
    /// The verdicts that occur, by profile name.
    package var people: [String: Set<AllergenVerdict.Kind>]
    /// Record and label of a product disagree.
    package var hasContradiction: Bool
    package var figure: GameFigure?
    /// Folded words of the photo, for searching.
    var words: String
    /// The product numbers of the photo's codes.
    var numbers: [Int64] = []

    private enum CodingKeys: String, CodingKey {
        case title, status, reason, domains, level, dishes, worst, people, hasContradiction
        case figure
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        status = try container.decode(Outcome.Status.self, forKey: .status)
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        domains = try container.decode([Outcome.Domain].self, forKey: .domains)
        level = try container.decode(Confidence.Level.self, forKey: .level)
        dishes = try container.decode(Int.self, forKey: .dishes)
        worst = try container.decode([String: Int].self, forKey: .worst)
        people = try container.decode([String: Set<AllergenVerdict.Kind>].self, forKey: .people)
        hasContradiction = try container.decode(Bool.self, forKey: .hasContradiction)
        figure = try container.decodeIfPresent(GameFigure.self, forKey: .figure)
        words = ""
    }

    package init(_ outcome: Outcome) {
        let items = outcome.menu?.sections.flatMap(\.items) ?? []
        title = outcome.title
        status = outcome.status
        reason = outcome.reason?.code
        domains = outcome.domains
        level = outcome.confidence.level
        dishes = items.count
        let things =
            items.map(\.verdicts) + (outcome.label.map { [$0.verdicts] } ?? [])
            + (outcome.products ?? []).compactMap(\.verdicts) + outcome.allPriceTags.compactMap(\.verdicts)
            + (outcome.receipt?.items ?? []).compactMap(\.verdicts)
            + (outcome.menu?.notDishes ?? []).map { $0.verdicts.mapValues { $0.filter(\.value.isPrinted) } }
        worst = [:]
        people = [:]
        for verdicts in things {
            for (person, own) in verdicts { people[person, default: []].formUnion(own.values.map(\.verdict)) }
            let all = verdicts.values.flatMap { $0.values.map(\.verdict) }
            if let kind = all.max(by: { $0.severity < $1.severity }) { worst[kind.rawValue, default: 0] += 1 }
        }
        figure = outcome.game.map { GameFigure($0) }
        hasContradiction = outcome.products?.contains { $0.contradictions?.isEmpty == false } ?? false
        let texts =
            [title ?? ""] + items.filter { $0.corrected != nil }.flatMap { [$0.name, $0.description ?? ""] }
            + (outcome.readings.text?.lines.map(\.text) ?? [])
            + (outcome.readings.barcodes?.map(\.text) ?? [])
            + (outcome.products ?? []).flatMap { [$0.gtin, $0.name ?? "", $0.brand ?? ""] }
        words = String(Folding.fold(texts.joined(separator: " ")).prefix(Self.mostWords))
        numbers = (outcome.products ?? []).compactMap { GTIN($0.gtin)?.number }
    }

    /// Maximum length of the searchable text, in characters.
    private static let mostWords = 20_000

    /// `|Ada=CONTAINS|`: what the filters by person and verdict search in.
    var marks: String {
        let all = people.flatMap { person, kinds in kinds.map { "\(person.markName)=\($0.rawValue)" } }
        return "|" + all.sorted().joined(separator: "|") + "|"
    }
}

extension String {
    /// The name without the separators of ``OutcomeSummary/marks``.
    fileprivate var markName: String { precomposedStringWithCanonicalMapping.filter { $0 != "|" && $0 != "=" } }
}

package struct GameFigure: Sendable, Hashable, Codable {
    /// `tangram`, …
    package var game: String
    /// The puzzle; nil if none fits.
    package var puzzle: String?
    /// Pieces in place, of those that the puzzle has.
    package var placed, needed: Int?

    package init(_ report: GameReport) {
        (game, puzzle, placed, needed) = (report.game, report.puzzle, report.placed, report.needed)
    }
}

package struct HistoryEntry: Sendable, Hashable, Decodable, FetchableRecord {
    package var photo: Int64
    package var content: String?
    package var path: FilePathBytes
    /// Seconds since 1970 when the photo was first read; shown to people, decides nothing.
    package var made: Double
    package var summary: OutcomeSummary
    /// The session to which the photo added a frame, and how many photos did; nil for a photo outside a game.
    package var session: String?
    package var frames: Int?
}

/// Which rows of the history are wanted. Nil means any.
package struct HistoryFilter: Sendable, Hashable {
    /// Words that all occur on the photo.
    package var words = ""
    package var domain: Outcome.Domain?
    package var status: Outcome.Status?
    package var level: Confidence.Level?
    package var person: String?
    package var verdict: AllergenVerdict.Kind?
    /// Seconds since 1970: first included, first excluded.
    package var from, until: Double?
    package var session: String?
    /// Leaves out all photos of a session but its newest.
    package var joinsFrames = false
    /// The last row of the previous page.
    package var before: Place?

    package struct Place: Sendable, Hashable {
        package var made: Double
        package var photo: Int64

        package init(made: Double, photo: Int64) { (self.made, self.photo) = (made, photo) }
    }

    package init() {}
}

extension Migration {
    static let summaries = Migration(
        "5 summaries, upload keys",
        """
        -- What lists and searches need of an outcome. A stale row is computed again from the outcome.
        CREATE TABLE summary (
            photo INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
            made REAL NOT NULL, -- seconds since 1970
            isStale INTEGER NOT NULL DEFAULT 0,
            status TEXT NOT NULL, level TEXT NOT NULL, domains TEXT NOT NULL, marks TEXT NOT NULL,
            words TEXT NOT NULL, json BLOB NOT NULL
        ) STRICT;
        CREATE INDEX summary_made ON summary (made, photo);
        CREATE INDEX summary_stale ON summary (photo) WHERE isStale = 1;

        -- Idempotency keys of uploads.
        CREATE TABLE uploadKey (
            id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, content TEXT NOT NULL
        ) STRICT;
        """)

    static let productsOfPhotos = Migration(
        "7 products of photos",
        """
        -- The photos that show a product's code. Stale summaries fill it for outcomes from before.
        CREATE TABLE photoProduct (
            gtin INTEGER NOT NULL, photo INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
            PRIMARY KEY (gtin, photo)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX photoProduct_photo ON photoProduct (photo);
        UPDATE summary SET isStale = 1 WHERE instr(domains, '|barcode|') > 0;
        """)

    /// Titles with shop and total, product and price, or the first dishes.
    static let titles = Migration("12 titles that tell", "UPDATE summary SET isStale = 1")

    /// Titles of packets that are no heads of lists.
    static let titlesOfLabels = Migration(
        "21 titles of packets", "UPDATE summary SET isStale = 1 WHERE instr(domains, '|label|') > 0")
}

extension OutcomeStore {
    /// Number of stored outcomes in which each kind was found. An outcome with two kinds counts for both.
    package func countsByDomain() throws -> [Outcome.Domain: Int] {
        let rows = try counts("SELECT domains, count(*) FROM summary GROUP BY domains")
        return rows.reduce(into: [:]) { counts, row in
            for domain in row.key.split(separator: "|").compactMap({ Outcome.Domain(rawValue: String($0)) }) {
                counts[domain, default: 0] += row.value
            }
        }
    }

    /// Stores the summary with its outcome; the time of an earlier reading stays.
    static func insert(
        _ summary: OutcomeSummary, of photo: Int64, made: Double, _ database: Database
    ) throws {
        let domains = "|" + summary.domains.map(\.rawValue).joined(separator: "|") + "|"
        let json = try JSONCoding.encode(summary)
        try database.execute(
            literal: """
                INSERT INTO summary (photo, made, status, level, domains, marks, words, json)
                VALUES (\(photo), \(made), \(summary.status.rawValue), \(summary.level.rawValue), \(domains),
                    \(summary.marks), \(summary.words), \(json))
                ON CONFLICT (photo) DO UPDATE SET isStale = 0, status = excluded.status, level = excluded.level,
                    domains = excluded.domains, marks = excluded.marks, words = excluded.words, json = excluded.json
                """)
        try database.execute(literal: "DELETE FROM photoProduct WHERE photo = \(photo)")
        for number in Set(summary.numbers) {
            try database.execute(literal: "INSERT INTO photoProduct (gtin, photo) VALUES (\(number), \(photo))")
        }
    }

    /// The outcomes of photos that show a product's code, newest first, as JSON.
    package func outcomes(ofProduct gtin: GTIN, limit: Int) throws -> [Data] {
        try read(
            Data.fetchAll,
            """
            SELECT outcome.json FROM photoProduct JOIN outcome ON outcome.photo = photoProduct.photo
            WHERE gtin = \(gtin.number) ORDER BY photoProduct.photo DESC LIMIT \(limit)
            """)
    }

    /// A packet whose label a person photographed and named; nil if nobody did.
    package func photographed(_ gtin: GTIN) throws -> (product: Product, outcome: Outcome)? {
        for json in try outcomes(ofProduct: gtin, limit: Self.mostLabels) {
            let outcome = try JSONCoding.decode(Outcome.self, from: json)
            let product = outcome.products?.first { GTIN($0.gtin) == gtin && $0.name != nil }
            if outcome.label != nil, let product { return (product, outcome) }
        }
        return nil
    }

    /// Photos of a packet that are looked at, the newest first.
    private static let mostLabels = 3

    /// Computes stale and missing summaries, at most this number.
    ///
    /// - Parameter findsMissing: false looks for stale ones only, which does not read all outcomes.
    /// - Returns: the number of computed summaries.
    @discardableResult
    package func refreshSummaries(limit: Int, findsMissing: Bool = true) throws -> Int {
        try refreshSummaries(of: outcomesWithoutSummary(limit: limit, findsMissing: findsMissing))
    }

    /// An outcome whose summary is stale or missing.
    struct Unsummarized {
        let photo: Int64
        let json: Data
        /// Seconds since 1970. A photo without a stored time was read by an earlier version: the file's time is the best
        /// that is known.
        let made: Double
    }

    func outcomesWithoutSummary(limit: Int, findsMissing: Bool) throws -> [Unsummarized] {
        let stale = """
            SELECT outcome.photo, outcome.json, photo.modified FROM summary
            JOIN outcome ON outcome.photo = summary.photo JOIN photo ON photo.id = summary.photo
            WHERE summary.isStale = 1
            """
        let missing = """
            SELECT outcome.photo, outcome.json, photo.modified FROM outcome
            JOIN photo ON photo.id = outcome.photo
            WHERE outcome.photo NOT IN (SELECT photo FROM summary)
            """
        let wanted = findsMissing ? "\(stale) UNION ALL \(missing)" : stale
        return try read(Row.fetchAll, "\(sql: wanted) LIMIT \(limit)").map {
            Unsummarized(photo: $0["photo"], json: $0["json"], made: Double($0["modified"] as Int64) / 1e9)
        }
    }

    /// Stores the summaries of these outcomes, except of those that were replaced since: theirs stay stale.
    func refreshSummaries(of outcomes: [Unsummarized]) throws -> Int {
        let made = outcomes.compactMap { row in
            (try? JSONCoding.decode(Outcome.self, from: row.json)).map { (row, OutcomeSummary($0)) }
        }
        guard !made.isEmpty else { return 0 }
        try write { database in
            for (row, summary) in made where try Self.isCurrent(row.json, of: row.photo, database) {
                try Self.insert(summary, of: row.photo, made: row.made, database)
            }
        }
        return made.count
    }

    /// True if this is the photo's outcome still. What was made from an outcome outside the transaction asks it.
    static func isCurrent(_ json: Data, of photo: Int64, _ database: Database) throws -> Bool {
        try Int.fetchOne(database, literal: "SELECT 1 FROM outcome WHERE photo = \(photo) AND json = \(json)") != nil
    }

    /// A page of the history, newest first.
    package func history(_ filter: HistoryFilter, limit: Int) throws -> [HistoryEntry] {
        try read(
            Row.fetchAll,
            """
            SELECT photo.id AS photo, photo.content, photo.path, photo.session, summary.made, summary.json AS summary,
                (SELECT nullif(count(*), 0) FROM photo AS frame WHERE frame.session = photo.session) AS frames
            FROM summary JOIN photo ON photo.id = summary.photo WHERE \(Self.condition(filter))
            ORDER BY summary.made DESC, summary.photo DESC LIMIT \(limit)
            """
        ).compactMap { try? HistoryEntry(row: $0) }
    }

    /// Number of rows that match; `before` is ignored.
    package func historyCount(_ filter: HistoryFilter) throws -> Int {
        var filter = filter
        filter.before = nil
        return try read(
            Int.fetchOne,
            "SELECT count(*) FROM summary JOIN photo ON photo.id = summary.photo WHERE \(Self.condition(filter))") ?? 0
    }

    private static func condition(_ filter: HistoryFilter) -> SQL {
        var parts: [SQL] = ["1"]
        for word in Folding.fold(filter.words).split(separator: " ").prefix(8) {
            parts.append("instr(summary.words, \(String(word))) > 0")
        }
        if let domain = filter.domain { parts.append("instr(summary.domains, '|' || \(domain.rawValue) || '|') > 0") }
        if let status = filter.status { parts.append("summary.status = \(status.rawValue)") }
        if let level = filter.level { parts.append("summary.level = \(level.rawValue)") }
        if filter.person != nil || filter.verdict != nil {
            let person = filter.person.map { "|\($0.markName)" } ?? ""
            let mark = "\(person)=" + (filter.verdict.map { "\($0.rawValue)|" } ?? "")
            parts.append("instr(summary.marks, \(mark)) > 0")
        }
        if let session = filter.session { parts.append("photo.session = \(session)") }
        if filter.joinsFrames {
            parts.append(
                """
                NOT EXISTS (
                    SELECT 1 FROM photo AS frame JOIN summary AS later ON later.photo = frame.id
                    WHERE frame.session = photo.session
                        AND (later.made, later.photo) > (summary.made, summary.photo)
                )
                """)
        }
        if let from = filter.from { parts.append("summary.made >= \(from)") }
        if let until = filter.until { parts.append("summary.made < \(until)") }
        if let before = filter.before {
            parts.append("(summary.made, summary.photo) < (\(before.made), \(before.photo))")
        }
        return parts.joined(separator: " AND ")
    }
}
