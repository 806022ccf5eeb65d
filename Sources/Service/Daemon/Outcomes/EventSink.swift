import Foundation

/// Adds the event to the outcome's transaction; streams and webhooks read it from there.
struct EventSink: OutcomeSink {
    let name = "event"

    func prepare(_ photo: inout JudgedPhoto) throws {
        photo.finished.event = try OutcomeEvent(photo.outcome, kind: photo.kind, at: Date())
            .stored(receivers: photo.configuration.webhooks.receivers)
    }
}
