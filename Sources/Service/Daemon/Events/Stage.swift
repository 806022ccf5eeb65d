import Core
import Engine
import HTTP

/// The stages of one photo.
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

    /// Announces that a photo reached a stage.
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
