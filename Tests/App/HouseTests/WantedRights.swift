import Testing

/// What each holder may do at each route, as the page on the household wants it. It was written before the routes, by
/// somebody who did not write them.
///
/// Rights are checked against this table and not the other way round: a new route needs a line here first.
enum WantedRights {
    /// Who sends a request. Private pages in the requests are those of ``adult``.
    enum Holder: String, CaseIterable, Sendable {
        /// No token.
        case nobody
        /// The token of a device that was removed.
        case revoked
        /// A device that nobody uses yet.
        case unchosen
        case guest, child, adult
        /// An adult with whom nothing is shared.
        case otherAdult
        /// The daemon's own key, for ``adult``.
        case key
    }

    /// What a holder gets.
    enum Answer: String, Sendable, Hashable {
        /// Any status but 401, 403 and 410, and of a diary no 404 `noDiary`.
        case yes
        /// The token is missing or ended.
        case noToken = "401"
        /// A browser that nobody uses yet is led to `/who` instead, where it asks for a page.
        case refused = "403"
        /// As if it did not exist.
        case hidden = "404"
        /// The route has ended.
        case ended = "410"
    }

    enum Rule: String, Sendable {
        case everybody, guest, child, adult
        /// What belongs to one member's list.
        case ownList
        /// What one member said.
        case ownReview
        /// What a diary's owner sees, and those with whom it is shared.
        case diaryReading
        /// What only a diary's owner may see and change.
        case diaryOwning
        case ended
        /// Opened by the token of queue workers only.
        case worker

        func answer(to holder: Holder) -> Answer { WantedRights.answers[self]?[holder] ?? .refused }

        /// True if the table has an answer to this holder.
        func names(_ holder: Holder) -> Bool { WantedRights.answers[self]?[holder] != nil }

        var isOfDiary: Bool { self == .diaryReading || self == .diaryOwning }
    }

    /// The answer of each rule to each holder.
    private static let table = """
        rule          nobody  revoked  unchosen  guest  child  adult  otherAdult  key
        everybody     yes     yes      yes       yes    yes    yes    yes         yes
        guest         401     401      yes       yes    yes    yes    yes         yes
        child         401     401      403       403    yes    yes    yes         yes
        adult         401     401      403       403    403    yes    yes         yes
        ownList       401     401      403       403    403    yes    404         yes
        ownReview     401     401      403       403    403    yes    403         yes
        diaryReading  401     401      403       403    403    yes    404         yes
        diaryOwning   401     401      403       403    403    yes    404         yes
        ended         401     401      410       410    410    410    410         410
        worker        401     401      401       401    401    401    401         401
        """

    private static let answers: [Rule: [Holder: Answer]] = {
        let rows = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        var answers: [Rule: [Holder: Answer]] = [:]
        for row in rows.dropFirst() {
            guard let rule = Rule(rawValue: row[0]) else { continue }
            for (name, answer) in zip(rows[0], row).dropFirst() {
                guard let holder = Holder(rawValue: name) else { continue }
                answers[rule, default: [:]][holder] = Answer(rawValue: answer)
            }
        }
        return answers
    }()

    struct Route: Sendable, Hashable, CustomStringConvertible {
        var method, path: String
        var description: String { "\(method) \(path)" }
        /// True for the app's pages, false for the API.
        var isPage: Bool { !["/v1/", "/api/", "/metrics", "/openapi.json"].contains { path.hasPrefix($0) } }
        var changes: Bool { method != "GET" }
    }

    /// Routes with the same rule.
    struct Group: Sendable, CustomTestStringConvertible {
        var name: String
        var rule: Rule
        var routes: [Route]
        var testDescription: String { name }

        /// - Parameter lines: each has methods and then one path.
        init(_ name: String, _ rule: Rule, _ lines: String) {
            (self.name, self.rule) = (name, rule)
            routes = lines.split(separator: "\n").flatMap { line in
                let words = line.split(separator: " ").map(String.init)
                return words.dropLast().map { Route(method: $0, path: words[words.count - 1]) }
            }
        }
    }

    /// The rule of a route; nil without a line.
    static func rule(of route: Route) -> Rule? { groups.first { $0.routes.contains(route) }?.rule }
}
