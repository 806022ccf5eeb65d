import Foundation

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

struct ProgressPage: Page {
    static let template = "progress"
    static let styles = ["steps"]
    static let scripts = ["progress"]

    let photoID: String?
    let refresh = true
}
