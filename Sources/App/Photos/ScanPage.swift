import Core
import Foundation
import HTTP
import Household

/// The first page: sends photos.
struct ScanPage: Page {
    static let template = "scan"
    static let styles = ["scan"]
    static let scripts = ["scan", "scan-live", "kept-pages"]

    /// What got worse on stored photos; nil if nothing did.
    let news: NewsCard?
    let rows: [HistoryRow]
    /// True where a browser refuses the camera.
    let isUnprotected: Bool
    /// When it was made, for the time without a network.
    let made: String? = Date().formatted(.iso8601)

    init(
        _ recent: [HistoryItem], news: NewsCard? = nil, names: [String], viewer: String?, isUnprotected: Bool,
        _ texts: PageTexts
    ) {
        self.news = news
        rows = recent.map { HistoryRow($0, names: names, seenBy: viewer, texts) }
        self.isUnprotected = isUnprotected
    }
}

/// A photo that is read, or a row for each of several that were sent together.
struct ProgressPage: Page {
    static let template = "progress"
    static let styles = ["steps"]
    static let scripts = ["progress"]

    struct Row {
        let id, title, text: String
        /// The class of a step: `done`, `now`, or empty for a photo that waits.
        let style: String
    }

    let heading: String
    let photoID: String?
    let refresh: Bool
    let rows: [Row]
    /// How many of the rows are finished; nil for a single photo.
    let finished: String?

    init(photoID: String, _ texts: PageTexts) {
        (heading, rows, finished) = (texts.text("progress.head"), [], nil)
        self.photoID = photoID
        refresh = true
    }

    init(_ photos: [SentPhoto], _ texts: PageTexts) {
        heading = texts.text("progress.many")
        photoID = nil
        let done = photos.count { $0.outcome != nil }
        refresh = done < photos.count
        finished = texts.text("progress.finished", ["n": "\(done)", "all": "\(photos.count)"])
        rows = photos.enumerated().map { index, photo in
            let number = texts.text("progress.number", ["n": "\(index + 1)"])
            guard let outcome = photo.outcome else {
                let isRead = photo.state == .reading
                return Row(
                    id: photo.id, title: number, text: texts.text(isRead ? "progress.reading" : "progress.queued"),
                    style: isRead ? "now" : "")
            }
            let hasFailed = [.unreadable, .failed].contains(outcome.status)
            return Row(
                id: photo.id, title: hasFailed ? number : texts.title(of: outcome),
                text: texts.text(hasFailed ? "progress.failed" : "progress.done"), style: "done")
        }
    }
}

/// One of several photos that were sent together.
struct SentPhoto {
    let id: String
    let state: PhotoStatus.State
    /// Nil until it was read, or could not be read.
    let outcome: Outcome?

    /// Photos of one page.
    private static let most = 50
    private static let query = "sent"

    /// The page of these photos.
    static func address(of ids: [String]) -> String { "/scan?\(query)=\(ids.prefix(most).joined(separator: ","))" }

    /// The photos of an address, each once; one that was deleted is left out.
    static func all(of call: Call, _ cases: PhotoActions) async throws -> [SentPhoto] {
        var photos: [SentPhoto] = []
        for part in call.query[query].split(separator: ",").prefix(most) {
            let id = try PathParameter.checkedPhoto(String(part))
            guard !photos.contains(where: { $0.id == id }) else { continue }
            do {
                let outcome = try await cases.result(id)
                let state = outcome == nil ? try await cases.photo(id).state : .done
                photos.append(SentPhoto(id: id, state: state, outcome: outcome))
            } catch PhotoProblem.noPhoto { continue }
        }
        return photos
    }
}
