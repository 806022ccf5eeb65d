import Catalogue
import Core
import Diary
import Foundation
import Logging
import Meals
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

    /// The person whose inbox holds this photo; nil for other photos.
    ///
    /// - Parameter inbox: the watched folder.
    func person(of path: FilePathBytes, below inbox: FilePathBytes) throws -> String? {
        try path.owner(in: Self.folder, below: inbox).flatMap { try diary.person($0)?.name }
    }

    func prepare(_ photo: inout JudgedPhoto) throws {
        guard let inbox = photo.inbox else { return }
        try log(photo.outcome, at: photo.path, below: inbox, modified: photo.modified, now: Date())
    }

    /// Logs the food of a photo once, however often it is read.
    ///
    /// - Parameter modified: when the file was changed, nanoseconds since 1970; 0 if unknown.
    func log(_ outcome: Outcome, at path: FilePathBytes, below inbox: FilePathBytes, modified: Int64, now: Date) throws
    {
        guard let person = try person(of: path, below: inbox), let content = outcome.id else { return }
        let label = path.lastComponent.display.split(separator: ".").first.map(String.init) ?? "Label"
        guard let food = try search.food(of: outcome, name: label, for: person).food else {
            return logger.notice("no food on a photo of a diary", metadata: ["photo": "\(path.display)"])
        }
        let changed = Date(timeIntervalSince1970: Double(modified) / 1e9)
        let isRecent = (-60...Self.oldest).contains(now.timeIntervalSince(changed))
        let entry = try diary.addPhoto(food, content: content, of: person, taken: isRecent ? changed : now)
        if entry != nil { logger.info("logged in a diary", metadata: ["photo": "\(path.display)"]) }
    }
}
