import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Presentation

/// The pages of the app. They are complete without script; scripts add live progress and keys.
struct WebRoutes: APIRoutes {
    let source: PageSource
    let images: any APIImages
    let people: any APIPeople
    let household: any WebHousehold
    let access: DeviceAccess
    /// Guesses of the daemon's key, and of pairing codes, of which there are 31^8 for ten minutes.
    let pairing = GuessLimit(each: 60, all: 10_000)
    let languages: [PageLanguage]
    let templates: Templates
    let samples: SamplePhotos
    private let files: StaticFiles

    /// - Throws: ``StartupError`` that names a missing or wrong file below `models/web`.
    init(
        _ source: PageSource, images: any APIImages, people: any APIPeople, household: any WebHousehold,
        models: ModelFolder, wordings: Wordings, access: DeviceAccess = DeviceAccess()
    ) throws {
        self.access = access
        self.source = source
        self.images = images
        self.people = people
        self.household = household
        templates = try Templates(from: models)
        files = try StaticFiles(from: models)
        languages = try PageTexts.loadAll(from: models).compactMap { texts in
            wordings[texts.language].map { PageLanguage(texts: texts, wording: $0) }
        }
        samples = try SamplePhotos(from: models, languages: languages.map(\.texts.language))
    }

    // MARK: Shell

    /// The language of this request.
    ///
    /// - Throws: `Problem` (500) if no language is installed.
    func language(_ request: Request) throws -> PageLanguage {
        guard let language = PageLanguage.choose(request.headers[.acceptLanguage], among: languages) else {
            throw Problem(500, "internal", "no texts are installed")
        }
        return language
    }

    private static let reading = [
        ("scan", "/", "camera"), ("history", "/history", "history"), ("review", "/review", "review"),
    ]
    private static let eat = [("today", "/today", "today"), ("week", "/week", "week")]
    private static let shop = [
        ("list", "/list", "list"), ("compare", "/compare", "scale"), ("goods", "/goods", "search"),
        ("prices", "/prices", "plus"), ("feed", "/feed", "staff"), ("me", "/me", "me"),
    ]
    private static let play = [("games", "/games", "games")]
    private static let house = [
        ("people", "/people", "people"), ("devices", "/devices", "phone"), ("health", "/health", "health"),
    ]

    private func links(_ all: [(String, String, String)], _ current: String, _ texts: PageTexts) -> [Values] {
        all.map { name, href, icon in
            ["href": href, "icon": icon, "text": texts.text("nav.\(name)"), "isCurrent": name == current]
        }
    }

    /// The parts of the navigation, each with its entries. Pages that a child or guest may not see are left out.
    private static var parts: [(name: String, entries: [(String, String, String)])] {
        if Identity.current?.seesLittle == true { return [("read", reading.dropLast()), ("play", play)] }
        return [("read", reading), ("eat", eat), ("shop", shop), ("play", play), ("house", house)]
    }

    /// A page in the frame that its template names.
    ///
    /// - Parameters:
    ///   - name: the template's name, also for the script.
    ///   - section: the entry of the navigation; empty for none.
    func page(
        _ request: Request, _ name: String, section: String, heading: String, _ values: Values,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let language = try language(request)
        let texts = language.texts
        var all = values
        all["t"] = language.forTemplates
        all["lang"] = texts.language
        all["heading"] = heading
        all["page"] = name
        all["photoID"] = values["id"]
        all["styles"] = values["styles"] ?? PageParts.styles(name)
        all["scripts"] = PageParts.scripts(name)
        if let viewer = Identity.current {
            // A page that answers a form has no address of its own to come back to.
            let here = request.method == .get ? request.uri.path + (request.uri.query.map { "?\($0)" } ?? "") : "/"
            all.merge(viewer.frame(texts, path: here)) { $1 }
        }
        all["nav"] = Self.parts.map { name, entries -> Values in
            ["head": texts.text("nav.\(name)"), "links": links(entries, section, texts)]
        }
        let others = Identity.current?.seesLittle == true ? Self.play : [Self.eat[0], Self.shop[0]]
        all["tabs"] =
            links(Self.reading.dropLast() + others, Self.tab(of: section), texts)
            + links([("more", "/more", "more")], section, texts)
        guard let html = templates.render(all, as: name) else {
            throw Problem(500, "internal", "the template \(name) is missing")
        }
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-store",
                .contentLanguage: texts.language, .vary: "Accept-Language",
            ], body: .init(byteBuffer: .init(string: Icons.withoutUnused(html))))
    }

    /// The tab of the phone's navigation for a section.
    private static func tab(of section: String) -> String {
        if section == "week" { return "today" }
        if shop.contains(where: { $0.0 == section }) { return "list" }
        if section == "games", Identity.current?.seesLittle == true { return section }
        return reading.dropLast().contains { $0.0 == section } || section == "today" ? section : "more"
    }

    static func seeOther(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }

    /// A page instead of problem details, where a person sees the answer.
    func orPage(_ request: Request, section: String, _ body: () async throws -> Response) async throws -> Response {
        do { return try await body() } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            guard status.code < 500 else { throw error }
            let detail = (error as? Problem)?.detail ?? (error as? HTTPError)?.body ?? status.reasonPhrase
            let head = try language(request).texts.text("error.head")
            return try page(request, "error", section: section, heading: head, ["error": detail], status: status)
        }
    }

    /// The photos of a form. They belong to the person who uses the device.
    func receivePhotos(_ request: Request, _ context: APIContext) async throws -> [PhotoStatus] {
        try await PhotoAPI(cases: source.history).receive(Call(request, context))
    }

    // MARK: Routes

    func add(to routes: RouterGroup<APIContext>) {
        addWho(to: routes)
        addPINs(to: routes)
        addWelcome(to: routes)
        addPeople(to: routes)
        addDevices(to: routes)
    }

    func addOpen(to routes: RouterGroup<APIContext>) {
        addSignIn(to: routes)
        addTrust(to: routes)
    }

    // MARK: Sign-in

    /// The answer to a page that the person may not see: who is it, or why not.
    func refusalPage(_ request: Request, _ context: APIContext) async throws -> Response {
        if context.identity?.member == nil { return Self.seeOther(Self.whoPage(for: request)) }
        return try await orPage(request, section: "more") {
            throw Problem(403, "forbidden", try language(request).texts.text("error.adult"))
        }
    }
}
