import Engine
import Foundation

/// Adds the event to the outcome's transaction; streams, webhooks and the broker read it from there.
struct EventSink: OutcomeSink {
    let name = "event"

    func prepare(_ photo: inout JudgedPhoto) throws {
        photo.finished.event = try OutcomeEvent(photo.outcome, kind: photo.kind, at: Date())
            .stored(receivers: photo.configuration.receivers)
    }
}
