import Core
import Foundation
import HTTP
import HTTPTypes
import Household
import Hummingbird
import Kinds

/// "Who is it?", PINs, people, devices, first steps, sign-in, and the certificate of the house, as pages and as JSON.
struct HouseholdRoutes {
    let actions: HouseholdActions
    let people: PeopleActions
    let photos: any PhotoFolder
    let access: DeviceAccess
    let samples: SamplePhotos
    let wordings: Wordings
    let shell: PageShell
    /// Guesses of the daemon's key, and of pairing codes, of which there are 31^8 for ten minutes.
    let guesses = GuessLimit(each: 60, all: 10_000)

    init(
        actions: HouseholdActions, people: PeopleActions, photos: any PhotoFolder, access: DeviceAccess,
        models: ModelFolder, wordings: Wordings, shell: PageShell
    ) throws {
        self.actions = actions
        self.people = people
        self.photos = photos
        self.access = access
        self.wordings = wordings
        self.shell = shell
        samples = try SamplePhotos(from: models, languages: shell.languageNames)
    }

    var routes: [Route] {
        whoRoutes + pinRoutes + peopleRoutes + deviceRoutes + welcomeRoutes + signInRoutes + Self.endedRoutes
    }

    /// Why a route about a member answers 404.
    static let nobody = "There is nobody of this name."

    /// A page for somebody who is signed in.
    func page(
        _ method: HTTPRequest.Method, _ path: RoutePath, for least: Identity.Role, in section: Section = .none,
        _ handler: @escaping @Sendable (Visit, _ viewer: Identity) async throws -> Response
    ) -> Route {
        shell.page(method, path, for: least, in: section) { visit in
            var response = try await handler(visit, try visit.call.identity)
            // Another person may use the browser now: nothing of a list without a network stays in it.
            if method == .post { response.clearStorage() }
            return response
        }
    }

    /// A page that needs no token. Its refusals are problem details: most of them go to programs that guess.
    func open(
        _ method: HTTPRequest.Method, _ path: RoutePath,
        _ handler: @escaping @Sendable (Visit) async throws -> Response
    ) -> Route {
        .page(method, path, for: nil) { call in try await handler(try shell.visit(call, in: .none)) }
    }

    /// The member whom a form or an address names.
    ///
    /// - Throws: `Problem` (404) if there is no such member.
    func member(_ form: FormBody) async throws -> Member {
        guard let member = try await actions({ try $0.member(named: form["member"]) }) else {
            throw Problem(404, "notFound", "there is no such person in this household, or no longer")
        }
        return member
    }

    /// The answer to a page that the person may not see: who is it, or why not.
    func refusalPage(_ call: Call) async throws -> Response {
        guard call.context.identity?.member != nil else { return Visit.next(WhoPage.address(next: call.request)) }
        return try await shell.answer(call, in: .more) { visit in
            throw Problem(403, "forbidden", visit.texts.text("error.adult"))
        }
    }

    /// The answer to an address that does not exist.
    func unknownPage(_ call: Call) async throws -> Response {
        try await shell.answer(call, in: .none) { visit in
            throw Problem(404, "unknownPage", visit.texts.text("error.unknown"))
        }
    }

    // MARK: Earlier versions

    private static var endedRoutes: [Route] {
        let session = #"PUT /v1/session with {"member":"…"}"#
        let ended: [(HTTPRequest.Method, RoutePath, String)] = [
            (.get, "v1/accounts", "GET /v1/members"), (.post, "v1/accounts", "PUT /v1/people/{name}"),
            (.get, "v1/accounts/me", "GET /v1/me"), (.delete, "v1/accounts/me", "DELETE /v1/people/{name}"),
            (.get, "v1/accounts/me/export", "GET /v1/me/export"),
            (.put, "v1/accounts/me/password", "PUT /v1/me/pin"), (.post, "v1/session", session),
            (.post, "v1/people/\(.member)/diary/keys", session), (.post, "v1/people/\(.member)/diary/codes", session),
        ]
        return ended.map { .ended($0, $1, "one person has one key now, the device's: use \($2)") }
    }
}

extension PathParameter where Value == String {
    /// The name of a member, in any spelling.
    static var member: Self { person("name", "The person's name.") }

    static func person(_ parameter: String, _ about: String) -> Self {
        PathParameter(parameter, about, schema: Schema(type: "string", minLength: 1, maxLength: 60)) { name in
            guard (1...60).contains(name.count) else {
                throw Problem(400, "badRequest", "a name has 1 to 60 characters")
            }
            return name
        }
    }
}
