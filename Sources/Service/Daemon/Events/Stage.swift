import Core
import Engine
import Foundation
import HTTP
import Store

enum Stage: String, Encodable {
    case received, decoded, read, parsed, judged, done

    /// Part of the work that is done, 0…1.
    var fraction: Double {
        switch self {
        case .received: 0.1
        case .decoded: 0.3
        case .read: 0.5
        case .parsed: 0.7
        case .judged: 0.9
        case .done: 1
        }
    }
}

extension StageProgress {
    private struct Note: Encodable {
        struct Photo: Encodable {
            var id: String?
            var path: String
            var stage: Stage
            var fraction: Double
        }

        var type = "stage"
        var data: Photo
    }

    func note(_ stage: Stage, _ id: String?, _ path: FilePathBytes) {
        let note = Note(data: .init(id: id, path: path.display, stage: stage, fraction: stage.fraction))
        guard let json = try? JSONCoding.encode(note) else { return }
        self.note(String(decoding: json, as: UTF8.self))
    }

    /// Announces the products of a photo's barcodes, if there are any. Its print is not read yet.
    func note(productsOf outcome: Outcome) {
        guard let event = OutcomeEvent.products(outcome), let json = try? JSONCoding.encode(event) else { return }
        note(String(decoding: json, as: UTF8.self), as: "product")
    }
}

/// The event about a file that waits to be read.
struct QueuedEvent: Encodable {
    struct Waiting: Encodable {
        /// Known for uploads only; other files are hashed when they are read.
        var id: String?
        var path: String
        var bytes: Int64
    }

    var type = "queued"
    var timestamp: String
    var data: Waiting

    init(_ file: FoundFile, id: String?, at date: Date) {
        timestamp = date.formatted(.iso8601)
        data = Waiting(id: id, path: file.path.display, bytes: file.identity.size)
    }

    var stored: NewEvent {
        get throws {
            NewEvent(
                id: "evt_" + UUID().uuidString.lowercased(), kind: type, body: try JSONCoding.encode(self),
                receivers: [])
        }
    }
}
