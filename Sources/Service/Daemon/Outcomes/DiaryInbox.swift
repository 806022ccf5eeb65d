import Catalogue
import Core
import Diary
import Foundation
import Logging
import Foods
import Store

/// Logs what photos in a diary's inbox show: `diary/<person>/` below a watched folder, for a person with a diary.
struct DiaryInbox: OutcomeSink {
    let name = "diary entry"
    private let diary: Diary
    private let search: FoodSearch
    private let logger: Logger

    /// A file that was changed longer ago, in seconds, was not eaten when it was changed; it counts as of now.
    private static let oldest = 7 * 86_400.0
    private static let folder = "diary"

    init(_ store: OutcomeStore, catalogue: Catalogue, logger: Logger) {
        diary = Diary(store)
        search = FoodSearch(diary, catalogue: catalogue)
        self.logger = logger
    }

    func prepare(_ photo: inout JudgedPhoto) throws {
        guard let inbox = photo.inbox else { return }
        try log(photo.outcome, at: photo.path, below: inbox, modified: photo.modified, now: Date())
    }

    /// Logs the food of a photo once, however often the file is read, written again or copied.
    ///
    /// - Parameters:
    ///   - inbox: the watched folder.
    ///   - modified: when the file was changed, nanoseconds since 1970; 0 if unknown.
    func log(_ outcome: Outcome, at path: FilePathBytes, below inbox: FilePathBytes, modified: Int64, now: Date) throws
    {
        guard let owner = path.owner(in: Self.folder, below: inbox), let content = outcome.id else { return }
        let photo: Logger.Metadata = ["photo": "\(path.display)"]
        guard let person = try diary.person(owner)?.name else {
            return logger.notice("nobody with this folder's name has a diary: a photo is not logged", metadata: photo)
        }
        guard outcome.isReadToItsEnd else {
            return logger.notice("a photo of a diary is not complete or not readable: not logged", metadata: photo)
        }
        let label = path.lastComponent.display.split(separator: ".").first.map(String.init) ?? "Label"
        let food = try search.food(of: outcome, name: label, for: person).food
        if food == nil { logger.notice("no food on a photo of a diary", metadata: photo) }
        let changed = Date(timeIntervalSince1970: Double(modified) / 1e9)
        let isRecent = (-60...Self.oldest).contains(now.timeIntervalSince(changed))
        switch try diary.log(food, at: path, content: content, of: person, taken: isRecent ? changed : now) {
        case .added: logger.info("logged in a diary", metadata: photo)
        case .replaced: logger.info("the entry of a changed photo was replaced in a diary", metadata: photo)
        case .withdrawn: logger.info("the entry of a changed photo was taken back in a diary", metadata: photo)
        case .nothing: break
        }
    }
}

extension Outcome {
    /// False for a file that ends early or was not read: its writer may still add the rest, and the next outcome counts.
    var isReadToItsEnd: Bool {
        switch status {
        case .completed: true
        // A page that the photo cuts off is whole as a file. A writer may set the length before it fills the file.
        case .partial:
            ![ItemFailure.Code.truncated, .damaged].map(\.rawValue).contains(reason?.code ?? "")
        case .unreadable, .failed: false
        }
    }
}
