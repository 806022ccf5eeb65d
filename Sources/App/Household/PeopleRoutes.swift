import HTTP
import Foundation
import Hummingbird

/// What the people routes need of the daemon. Bodies are JSON of profiles.
protocol APIPeople: Sendable {
    /// A JSON array of the stored people.
    func people() async throws -> Data
    /// The stored person as JSON, or nil.
    func person(_ name: String) async throws -> Data?
    /// Stores a person; all stored outcomes are judged again.
    ///
    /// - Returns: true if the person is new.
    /// - Throws: ``Problem`` (400) that names the wrong value.
    func save(_ name: String, _ json: Data) async throws -> Bool
    /// Removes a person with everything that is theirs: diary, lists, prices.
    ///
    /// - Returns: what there was, as JSON; nil if there is no such person.
    func remove(_ name: String) async throws -> Data?
}

/// `/v1/people`, also as `/v1/profiles`.
struct PeopleRoutes: APIRoutes {
    private let people: any APIPeople

    init(_ people: any APIPeople) { self.people = people }

    private static let mostBytes = 64 << 10

    func add(to routes: RouterGroup<APIContext>) {
        for base in ["v1/people", "v1/profiles"] {
            routes.get("\(base)") { request, _ in
                Response.tagged(try await people.people(), as: "application/json", for: request)
            }
            routes.get("\(base)/{name}") { request, context in
                guard let json = try await people.person(try context.personName()) else { throw Self.unknown }
                return Response.tagged(json, as: "application/json", for: request)
            }
            routes.put("\(base)/{name}") { request, context in
                let name = try context.personName()
                let isNew = try await people.save(name, try await request.bytes(upTo: Self.mostBytes))
                guard let json = try await people.person(name) else { throw Self.unknown }
                return Response(
                    status: isNew ? .created : .ok, headers: [.contentType: "application/json"],
                    body: .init(byteBuffer: .init(data: json)))
            }
            routes.delete("\(base)/{name}") { _, context in
                guard let json = try await people.remove(try context.personName()) else { throw Self.unknown }
                return Response(
                    status: .ok, headers: [.contentType: "application/json"],
                    body: .init(byteBuffer: .init(data: json)))
            }
        }
    }

    private static let unknown = Problem(404, "notFound", "no such person: GET /v1/people lists them")
}
