import HTTP
import Household
import Hummingbird

/// `GET /v1/events`: outcomes and quarantine entries as server-sent events.
struct EventRoutes {
    private let stream: EventStream

    /// - Parameter progress: stages and first products of photos in work; they are sent as `stage` and `product` without
    ///   a number.
    init(cases: PhotoActions, progress: StageProgress) {
        let feed = EventFeed(
            latest: { try await cases.latestEvent() }, after: { try await cases.events(after: $0, limit: $1) })
        stream = EventStream(
            latest: { try await cases.latestEvent() }, next: { try await feed.chunk(after: $0) }, progress: progress)
    }

    /// What ``EventStream`` reads of the address.
    private struct Query: Decodable, Documented {
        var since: Int64?

        static let fields = ["since": Field("Number of the last event that the client has.")]
    }

    var routes: [Route] {
        [
            Route(
                .get, "v1/events", for: .guest, "Events, from `Last-Event-ID` or `since` on",
                gives: ("text/event-stream", "Server-sent events.")
            ) { call in try await stream.response(to: call) }
            .taking(query: Query.self)
            .taking(header: "Last-Event-ID", nil, schema: Schema(type: "integer"))
        ]
    }
}
