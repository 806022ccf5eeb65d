import HTTP
import Foundation
import Hummingbird

/// `GET /v1/events`: outcomes and quarantine entries as server-sent events.
struct EventRoutes: APIRoutes {
    private let stream: EventStream

    /// - Parameters:
    ///   - latest: returns the number of the newest event, or 0.
    ///   - after: returns events after a number, in order, at most as many as its second argument.
    ///   - progress: stages of photos in work; they are sent as `stage` without a number.
    init(
        latest: @escaping @Sendable () async throws -> Int64,
        after: @escaping @Sendable (Int64, Int) async throws -> [APIEvent], progress: StageProgress = StageProgress()
    ) {
        let feed = EventFeed(latest: latest, after: after)
        stream = EventStream(latest: latest, next: { try await feed.chunk(after: $0) }, progress: progress)
    }

    func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/events") { request, _ in try await stream.response(to: request) }
    }
}

/// `GET /v1/outcomes/{id}`: the outcome of a content, byte for byte as in its sidecar.
struct OutcomeRoutes: APIRoutes {
    private let outcome: @Sendable (String) async throws -> Data?

    init(outcome: @escaping @Sendable (String) async throws -> Data?) { self.outcome = outcome }

    func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/outcomes/{id}") { request, context in
            guard let json = try await outcome(try context.parameters.imageID()) else {
                throw HTTPError(.notFound, message: "no outcome for this content")
            }
            return Response.tagged(json, as: "application/json", for: request)
        }
    }
}
