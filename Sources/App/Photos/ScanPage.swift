import Core
import HTTP

/// The first page: sends photos.
struct ScanPage: Page {
    static let template = "scan"
    static let styles = ["scan"]
    static let scripts = ["scan"]

    let heading: String
    /// What got worse on stored photos; nil if nothing did.
    let news: NewsCard?
    let rows: [HistoryRow]
    /// True where a browser refuses the camera.
    let isUnprotected: Bool
    let error: String?

    init(
        _ recent: [HistoryItem], news: NewsCard? = nil, names: [String], isUnprotected: Bool, error: Problem?,
        _ texts: PageTexts
    ) {
        heading = texts.text("scan.head")
        self.news = news
        rows = recent.map { HistoryRow($0, names: names, texts) }
        self.isUnprotected = isUnprotected
        self.error = error?.detail
    }
}

/// A photo that waits or is read.
struct ProgressPage: Page {
    static let template = "progress"
    static let styles = ["steps"]
    static let scripts = ["progress"]

    let heading: String
    let photoID: String?
    let refresh = true

    init(_ id: String, _ texts: PageTexts) {
        heading = texts.text("progress.head")
        photoID = id
    }
}

/// Asks before a photo is deleted.
struct DeletePage: Page {
    static let template = "delete"

    let heading, id: String
    /// Nil for a photo that was not read yet.
    let title: String?
    /// What people saved from it, which goes too.
    let saved: String?

    /// - Parameter saved: how many items.
    init(_ id: String, _ outcome: Outcome?, saved: Int, _ texts: PageTexts) {
        heading = texts.text("delete.head")
        self.id = id
        title = outcome.map { texts.title(of: $0) }
        self.saved =
            switch saved {
            case 0: nil
            case 1: texts.text("delete.saved.one")
            default: texts.text("delete.saved", ["n": "\(saved)"])
            }
    }
}
