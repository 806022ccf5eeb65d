import Foundation
import Hummingbird

/// An event of the stream.
public struct APIEvent: Sendable {
    /// Ascending number; a client that reconnects names the last one it received.
    public var number: Int64
    public var kind: String
    /// One line of JSON.
    public var body: Data

    public init(number: Int64, kind: String, body: Data) {
        self.number = number
        self.kind = kind
        self.body = body
    }
}

/// `GET /v1/events`: outcomes and quarantine entries as server-sent events.
public struct EventRoutes: APIRoutes {
    private let stream: EventStream

    /// - Parameters:
    ///   - latest: returns the number of the newest event, or 0.
    ///   - after: returns events after a number, in order, at most as many as its second argument.
    ///   - progress: stages of photos in work; they are sent as `stage` without a number.
    public init(
        latest: @escaping @Sendable () async throws -> Int64,
        after: @escaping @Sendable (Int64, Int) async throws -> [APIEvent], progress: StageProgress = StageProgress()
    ) {
        let newest = NewestEvent(latest)
        stream = EventStream(
            latest: latest,
            // A stream that has the newest event asks no database: 200 open pages cost one query a moment.
            after: { number, limit in try await newest.number() > number ? try await after(number, limit) : [] },
            progress: progress)
    }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/events") { request, _ in try await stream.response(to: request) }
    }
}

/// `GET /v1/outcomes/{id}`: the outcome of a content, byte for byte as in its sidecar.
public struct OutcomeRoutes: APIRoutes {
    private let outcome: @Sendable (String) async throws -> Data?

    public init(outcome: @escaping @Sendable (String) async throws -> Data?) { self.outcome = outcome }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/outcomes/{id}") { request, context in
            guard let json = try await outcome(try context.parameters.imageID()) else {
                throw HTTPError(.notFound, message: "no outcome for this content")
            }
            return Response.tagged(json, as: "application/json", for: request)
        }
    }
}

/// The number of the newest event, asked for at most a few times a second.
private actor NewestEvent {
    private let latest: @Sendable () async throws -> Int64
    private var known: (number: Int64, at: ContinuousClock.Instant)?
    private static let freshness = Duration.milliseconds(150)

    init(_ latest: @escaping @Sendable () async throws -> Int64) { self.latest = latest }

    func number() async throws -> Int64 {
        if let known, known.at.duration(to: .now) < Self.freshness { return known.number }
        // Streams that ask meanwhile get the former number and ask again.
        known = (known?.number ?? 0, .now)
        let number = try await latest()
        known = (number, .now)
        return number
    }
}
