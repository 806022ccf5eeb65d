import Core
import Diary
import Foundation
import HTTP
import HTTPTypes
import Household
import Hummingbird
import Foods

/// Days, weeks, goals and settings of diaries, as pages and as JSON.
///
/// A diary is its member's, of adults where the member is a child, and of those whom the member lets read it.
struct DiaryRoutes {
    let cases: DiaryActions
    let shell: PageShell
    let photos: PhotoActions
    let reviews: ReviewActions
    let uploads = DiaryUpload.Slots()

    var routes: [Route] {
        (mealJSON + figureJSON + settingsJSON).map { $0.unstored() } + mealPages + addPages + figurePages
            + settingsPages
    }

    // MARK: JSON

    static let refusals = [
        400: "A value is wrong.",
        403: "Wrong host, the request comes from another site, the diary is locked, or it may only be read.",
        404: "The diary is not this person's and not shared, or there is nothing under this address.",
    ]

    /// The diary that the path names.
    func named(_ call: Call) async throws -> OpenDiary {
        try await cases.access(to: try call[.member], for: try call.identity)
    }

    /// The diary of whoever asks.
    func own(_ call: Call) async throws -> OpenDiary {
        try await cases.access(to: nil, for: try call.identity)
    }

    /// A route of the diary that the path names.
    func diary<Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, _ summary: String, gives: [Int: String],
        refuses: [Int: String] = [:], _ handler: @escaping @Sendable (OpenDiary, Call) async throws -> Value
    ) -> Route {
        Route(
            method, path, for: .adult, summary, gives: gives, refuses: Self.refusals.merging(refuses) { $1 }
        ) { call in try await handler(try await named(call), call) }
    }

    /// A route of the diary that the path names, with a body.
    func diary<Body: Decodable & Sendable, Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, _ summary: String, body: Body.Type, gives: [Int: String],
        refuses: [Int: String] = [:], _ handler: @escaping @Sendable (OpenDiary, Call, Body) async throws -> Value
    ) -> Route {
        Route(
            method, path, for: .adult, summary, body: body, gives: gives,
            refuses: Self.refusals.merging(refuses) { $1 }
        ) { call, body in try await handler(try await named(call), call, body) }
    }

    // MARK: Pages

    /// A page of a diary, by default for its owner. While the diary is locked, the page that asks for the PIN; while
    /// nobody uses the device, the one that asks who it is.
    ///
    /// - Parameter isOwners: false for a page that readers see too.
    func page(
        _ method: HTTPRequest.Method, _ path: RoutePath, in section: Section = .today, isOwners: Bool = true,
        _ handler: @escaping @Sendable (Visit, OpenDiary) async throws -> Response
    ) -> Route {
        shell.page(method, path, for: .adult, in: section) { visit in
            let (call, identity) = (visit.call, try visit.call.identity)
            guard let own = identity.member?.name else { return Visit.next(WhoPage.address(next: call.request)) }
            let asked = call.query["person"]
            let diary: OpenDiary
            do {
                diary = try await cases.access(to: asked.isEmpty ? nil : asked, for: identity)
            } catch IdentityProblem.locked {
                return Visit.next(PINPage.address(of: own, next: NextPage(askedBy: call.request)))
            }
            if isOwners { try diary.owned() }
            return try await handler(visit, diary)
        }
    }

    /// A form of a page of a diary's owner.
    ///
    /// - Parameters:
    ///   - again: the page with the reason, when the form is refused.
    ///   - handler: does what the form asks.
    func form(
        _ path: RoutePath,
        again: @escaping @Sendable (Visit, OpenDiary) async throws -> Response,
        _ handler: @escaping @Sendable (Visit, OpenDiary, FormBody) async throws -> Response
    ) -> Route {
        page(.post, path) { visit, diary in
            let form = try await visit.call.form()
            return try await visit.answer(to: form) {
                try await handler(visit, diary, form)
            } refused: {
                try await again($0, diary)
            }
        }
    }

    static func address(of day: Day?, added: String? = nil, in place: DiaryPlace) -> String {
        let parts = [day.map { "day=\($0)" }, added.map { "added=\($0.escaped)" }].compactMap { $0 }
        return parts.isEmpty ? "/today" + place.query : "/today?" + parts.joined(separator: "&") + place.suffix
    }
}

/// How addresses name a diary: not at all if it is the viewer's own.
struct DiaryPlace {
    /// The name of the member whose diary it is; nil for the viewer's own.
    let owner: String?

    init(owner: String? = nil) { self.owner = owner }

    /// For addresses that have a query already: `&person=Leo`.
    var suffix: String { owner.map { "&person=" + $0.escaped } ?? "" }
    /// For addresses without one: `?person=Leo`.
    var query: String { owner.map { "?person=" + $0.escaped } ?? "" }
}

extension Visit {
    func place(of diary: OpenDiary) -> DiaryPlace {
        DiaryPlace(owner: diary.person == viewer?.member?.name ? nil : diary.person)
    }
}

/// What a page says of itself to a browser that keeps it for the time without a network.
struct KeptPage {
    /// Whose diary it is; the day that was the current one; and when the page was made, ISO 8601.
    let person, today, made: String

    /// Nil for a diary that no device keeps: another member's, and one with a PIN.
    init?(_ diary: OpenDiary, for viewer: Identity?, today: Day, now: Date) {
        guard diary.person == viewer?.member?.name, !diary.hasPIN else { return nil }
        person = diary.person
        self.today = today.description
        made = now.formatted(.iso8601)
    }
}

extension PathParameter where Value == String {
    static var diaryReader: Self { person("reader", "The name of another person.") }

    static var food: Self {
        PathParameter("food", "Id of a food.", schema: Schema(type: "string", minLength: 1, maxLength: 100)) { $0 }
    }

    static var mealEntry: Self {
        PathParameter("entry", "Id of an entry.", schema: Schema(type: "string", minLength: 1, maxLength: 60)) { $0 }
    }
}

extension PathParameter where Value == Day {
    static var day: Self {
        PathParameter("day", "yyyy-MM-dd.", schema: Schema(type: "string", format: "date")) { text in
            guard let day = Day(text) else {
                throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a day such as 2026-11-22")
            }
            return day
        }
    }
}

extension PathParameter where Value == Week {
    static var week: Self {
        PathParameter(
            "week", "ISO 8601, yyyy-Www.", schema: Schema(type: "string", pattern: "^[0-9]{4}-W[0-9]{2}$")
        ) { text in
            guard let week = Week(text) else {
                throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a week such as 2026-W47")
            }
            return week
        }
    }
}
