import Core
import Foundation
import HTTP
import Store

/// What is searched for. A parameter that is left out means any.
struct HistoryQuery: Sendable, Decodable, Documented {
    var q: String?
    var domain: Outcome.Domain?
    var status: Outcome.Status?
    var level: Confidence.Level?
    var person: String?
    var verdict: AllergenVerdict.Kind?
    var since, until: HistoryDate?
    var session: String?
    var cursor: HistoryCursor?
    var limit: Int?

    static let usualLimit = 20

    init(q: String? = nil, limit: Int? = nil) {
        self.q = q
        self.limit = limit
    }

    static let fields = [
        "q": Field("Words that all occur on the photo.", lengths: 0...200), "domain": Field("Kind of photo."),
        "status": Field("Status of the outcome."), "level": Field("Confidence level."),
        "person": Field("Name of a person with verdicts."), "verdict": Field("A verdict that occurs."),
        "since": Field("First day, ISO 8601."), "until": Field("Day after the last, ISO 8601."),
        "session": Field("A session of a game, whose frames are wanted."),
        "cursor": Field("Continues after a page; from `next` or `Link`."),
        "limit": Field("Items of a page.", range: 1...100, usual: "\(usualLimit)"),
    ]
}

/// A day in the time zone of the daemon, `2026-11-08`, or a moment, ISO 8601.
struct HistoryDate: Sendable, Decodable, SelfDescribed {
    let text: String
    let seconds: Double

    init?(_ text: String) {
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: day)) else { return nil }
        self.text = text
        seconds = date.timeIntervalSince1970
    }

    private init(text: String, seconds: Double) {
        self.text = text
        self.seconds = seconds
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let date = Self(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        self = date
    }

    static var sample: Self { Self(text: "1970-01-01", seconds: 0) }
    static var schema: Schema { Schema(type: "string", "a date such as 2026-11-08") }
}

/// Where a page of the history ended, as a text for addresses: base64 (RFC 4648, section 5) without padding.
struct HistoryCursor: Sendable, Hashable, Codable, SelfDescribed {
    let made: Double
    let photo: Int64

    init(_ entry: HistoryEntry) { (made, photo) = (entry.made, entry.photo) }

    private init(made: Double, photo: Int64) {
        self.made = made
        self.photo = photo
    }

    var text: String {
        Data("\(made.bitPattern) \(photo)".utf8).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        let data = Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
        let parts = data.map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        guard parts.count == 2, let bits = UInt64(parts[0]), let photo = Int64(parts[1]) else {
            throw Problem(400, "badRequest", "the cursor is not from this server: begin without one")
        }
        self.init(made: Double(bitPattern: bits), photo: photo)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static var sample: Self { Self(made: 0, photo: 1) }
    static var schema: Schema { Schema(type: "string") }
}

extension HistoryFilter {
    init(_ query: HistoryQuery) {
        self.init()
        words = query.q ?? ""
        (domain, status, level) = (query.domain, query.status, query.level)
        (person, verdict) = (query.person, query.verdict)
        (from, until) = (query.since?.seconds, query.until?.seconds)
        session = query.session
        before = query.cursor.map { .init(made: $0.made, photo: $0.photo) }
    }
}

struct History: Sendable, Codable {
    var items: [HistoryItem]
    /// Number of all matches.
    var total: Int
    /// Continues after the last item; nil on the last page.
    var next: HistoryCursor?
}

struct HistoryItem: Sendable, Codable {
    /// Nil if the content could not be read.
    var id: String?
    var path: String
    var read: Date
    var title: String?
    var status: Outcome.Status
    var reason: String?
    var domains: [Outcome.Domain]
    var level: Confidence.Level
    var dishes: Int
    /// Number of dishes, labels and products by their most serious verdict.
    var worst: [String: Int]
    /// The verdicts that occur, by person.
    var people: [String: [AllergenVerdict.Kind]]
    var contradiction: Bool
    /// The session of a game to which the photo added a frame, and the number of its photos.
    var session: String?
    var frames: Int?
    var figure: GameFigure?
}

extension HistoryItem {
    init(_ entry: HistoryEntry) {
        let summary = entry.summary
        self.init(
            id: entry.content, path: entry.path.display, read: Date(timeIntervalSince1970: entry.made),
            title: summary.title, status: summary.status, reason: summary.reason, domains: summary.domains,
            level: summary.level, dishes: summary.dishes, worst: summary.worst,
            people: summary.people.mapValues { $0.sorted { $0.rawValue < $1.rawValue } },
            contradiction: summary.hasContradiction, session: entry.session, frames: entry.frames,
            figure: summary.figure)
    }
}

/// The outcomes of a page of the history, each byte for byte as in its sidecar.
struct OutcomeList: Decodable {
    var items: [Outcome]
    var total: Int
    var next: HistoryCursor?
}
