import Core
import Foundation
import GRDB

extension OutcomeStore {
    /// Outcomes that may tell how the kitchen of a photo declares: those of other photos of its folder that have
    /// allergen codes or reviews. Oldest first.
    ///
    /// - Parameters:
    ///   - path: the photo. Its folder must have been a folder below the inbox when it was queued.
    ///   - content: the photo's content, which is known even if the path is not stored.
    ///   - limit: only so many of the folder's newest photos are looked at.
    package func kitchenOutcomes(
        of path: FilePathBytes, content: String?, limit: Int
    ) throws -> [(content: String, json: Data)] {
        try read(
            Row.fetchAll,
            """
            SELECT content, json FROM (
                SELECT photo.id AS id, photo.content AS content, outcome.json AS json
                FROM photo JOIN outcome ON outcome.photo = photo.id
                WHERE photo.kitchen = (SELECT kitchen FROM photo WHERE path = \(path))
                    AND photo.content IS NOT NULL AND photo.content IS NOT \(content)
                ORDER BY photo.id DESC LIMIT \(limit)
            ) AS near
            WHERE instr(json, CAST('"legendCode"' AS BLOB)) > 0
                OR EXISTS (SELECT 1 FROM review WHERE review.content = near.content)
            ORDER BY id
            """
        ).map { ($0["content"], $0["json"]) }
    }
}
