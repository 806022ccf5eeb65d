import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kinds

/// Makes pages of the app: their frame, language, templates and refusals. It knows no feature.
struct PageShell: Sendable {
    private let languages: [PageLanguage]
    private let templates: Templates
    private let files: StaticFiles
    private let undos: Undos

    init(
        models: ModelFolder, wordings: Wordings, games: OwnGames = .none, undos: Undos = Undos()
    ) throws {
        self.undos = undos
        templates = try Templates(from: models)
        files = try StaticFiles(from: models)
        languages = try PageTexts.loadAll(from: models).compactMap { texts in
            wordings[texts.language].map {
                PageLanguage(texts: texts.naming(games), wording: $0, staff: wordings)
            }
        }
    }

    /// BCP 47, of the languages that have texts.
    var languageNames: [String] { languages.map(\.texts.language) }

    /// Style sheets, scripts and icons.
    var routes: [Route] {
        [
            .page(.get, "static/\(.file)", for: nil) { call in
                try files.response(try call[.file], to: call.request)
            },
            // The worker that shows a list without a network: only of pages below its own folder, so its address is at the top.
            .page(.get, "list-worker.js", for: nil) { call in
                try files.response("list-worker.js", to: call.request)
            },
            page(.get, "offline", for: nil, in: .more) { visit in try visit.show(OfflinePage()) },
            page(.get, "more", for: .guest, in: .more) { visit in
                try visit.show(MorePage(visit.navigation, visit.theme, visit.texts))
            },
            page(.post, "undo", for: .guest, in: .more) { visit in
                Visit.next(try await undos.takeBack(try await visit.call.form()["undo"]))
            },
            page(.post, "more/theme", for: .guest, in: .more) { visit in
                guard let theme = Theme(rawValue: try await visit.call.form()["theme"]) else {
                    throw Problem(400, "badRequest", "a theme is system, light or dark")
                }
                var response = Visit.next("/more")
                let isUsual = theme == .system
                response.setCookie(
                    Theme.cookie, isUsual ? "" : theme.rawValue, seconds: Theme.seconds, for: visit.call.request)
                return response
            },
        ]
    }

    /// A page, or the answer to one of its forms. A refusal becomes a page too.
    ///
    /// - Parameter least: the least role that may see it; nil for a page without sign-in.
    func page(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role?, in section: Section,
        _ handler: @escaping @Sendable (Visit) async throws -> Response
    ) -> Route {
        .page(method, path, for: least) { call in try await answer(call, in: section, handler) }
    }

    /// A page outside the routes: what the server shows by itself.
    func answer(
        _ call: Call, in section: Section, _ handler: (Visit) async throws -> Response
    ) async throws -> Response {
        let visit = try visit(call, in: section)
        return try await visit.answer {
            try await handler(visit)
        } refused: { visit in
            // A house without adults lets a device that nobody uses open pages that need a person.
            guard visit.problem?.code != "noMember" || call.request.method != .get else {
                return Visit.next(WhoPage.address(next: call.request))
            }
            return try visit.show(ErrorPage())
        }
    }

    /// - Throws: `Problem` (500) if no language is installed.
    func visit(_ call: Call, in section: Section) throws -> Visit {
        guard let language = PageLanguage.choose(call.request.headers[.acceptLanguage], among: languages) else {
            throw Problem(500, "internal", "no texts are installed")
        }
        return Visit(call: call, section: section, language: language, templates: templates, undos: undos)
    }
}

extension PathParameter where Value == String {
    fileprivate static var file: Self { PathParameter("name", "A file of the app.") }
}

struct Visit: Sendable {
    let call: Call
    var section: Section
    let language: PageLanguage
    fileprivate let templates: Templates
    let undos: Undos
    /// Why what was asked for is refused: the page that is shown instead says it, and has its status.
    private(set) var problem: Problem?
    /// The refused form, whose fields keep what was typed.
    private(set) var draft: FormBody?

    var texts: PageTexts { language.texts }

    func refused(_ problem: Problem, _ draft: FormBody? = nil) -> Visit {
        var visit = self
        (visit.problem, visit.draft) = (problem, draft)
        return visit
    }

    /// The colours that this browser chose.
    var theme: Theme { call.request.cookies[Theme.cookie].flatMap { Theme(rawValue: $0.value) } ?? .system }

    /// Who asks; nil on pages without sign-in.
    var viewer: Identity? { call.context.identity }

    var navigation: Navigation {
        Navigation(current: section, seesLittle: viewer?.seesLittle == true, texts: texts)
    }

    /// The page in its frame.
    ///
    /// - Parameter message: what was just done.
    func show<Shown: Page>(
        _ page: Shown, status: HTTPResponse.Status = .ok, message: String? = nil
    ) throws -> Response {
        let request = call.request
        // A page that answers a form has no address of its own to come back to.
        let here = request.method == .get ? request.uri.path + (request.uri.query.map { "?\($0)" } ?? "") : "/"
        let navigation = navigation
        let undo = call.query[UndoBar.query]
        let frame = PageFrame(
            lang: texts.language, heading: page.heading.isEmpty ? texts.text("\(Shown.template).head") : page.heading,
            page: Shown.template, styles: page.styles,
            scripts: Shown.scripts, lightMedia: theme.media(for: .light), darkMedia: theme.media(for: .dark),
            photoID: page.photoID, refresh: page.refresh, leads: page.leads,
            nav: navigation.parts, tabs: navigation.tabs, me: viewer.flatMap { MemberPicture(of: $0, texts) },
            undo: undos.text(of: undo).map { UndoBar(text: $0, token: undo) },
            alarm: viewer.flatMap { RemovalAlarm(of: $0, at: here, texts) },
            error: problem.map { Shown.refusal($0, texts) }, message: message)
        var values = PageValues.all(of: frame).merging(PageValues.all(of: page)) { $1 is NSNull ? $0 : $1 }
        values["t"] = language.forTemplates
        guard let html = templates.render(values, as: Shown.template) else {
            throw Problem(500, "internal", "the template \(Shown.template) is missing")
        }
        var response = Response(
            status: problem?.status ?? status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-store",
                .contentLanguage: texts.language, .vary: "Accept-Language",
            ])
        PackedText(Data(Icons.withoutUnused(html).utf8)).write(into: &response, for: request)
        return response
    }

    /// What `body` answers; where it is refused, another page, such as the form with what was typed.
    func answer(
        to form: FormBody? = nil, _ body: () async throws -> Response, refused: (Visit) async throws -> Response
    ) async throws -> Response {
        do { return try await body() } catch {
            let problem = Problem(error)
            guard problem.status.code < 500 else { throw error }
            return try await refused(self.refused(problem, form))
        }
    }

    static func next(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }
}

/// All entries of the navigation, for a phone, and the colours.
struct MorePage: Page {
    static let template = "more"

    let parts: [Navigation.Part]
    let themes: [Choice]

    init(_ navigation: Navigation, _ theme: Theme, _ texts: PageTexts) {
        parts = navigation.parts
        themes = Choice.all(Theme.allCases, chosen: theme) { texts.text("theme.\($0)") }
    }
}

/// The colours of the pages; each browser keeps its choice in a cookie.
enum Theme: String, CaseIterable {
    case system, light, dark

    static let cookie = "theme"
    /// A year.
    static let seconds = 365 * 86_400

    /// Where a style sheet for these colours counts; nil for nowhere.
    func media(for colours: Theme) -> String? {
        if self == .system { return "(prefers-color-scheme: \(colours.rawValue))" }
        return self == colours ? "all" : nil
    }
}

/// What the worker shows without a network in place of a page that it did not keep. It holds nothing of a household.
struct OfflinePage: Page {
    static let template = "offline"
    static let scripts = ["kept-list"]
}

struct ErrorPage: Page { static let template = "error" }
