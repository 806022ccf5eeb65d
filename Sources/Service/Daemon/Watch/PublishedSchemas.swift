import Core
import Diary
import Foundation
import Kinds
import Groceries
import HTTP

/// The forms of files and streams that other programs may rely on, each with its JSON Schema.
package enum PublishedSchema: String, CaseIterable, Sendable {
    case outcome, frame, game, diary, lists

    /// One JSON object, sorted, with a line for each value.
    package func json() throws -> Data { try FileSchema.json(of: form.type, title: form.title) }

    private var form: (type: any Decodable.Type, title: String) {
        switch self {
        case .outcome: (Outcome.self, "tablesight.outcome/1")
        case .frame: (PieceFrame.self, "tablesight.frame/1")
        case .game: (GameLine.self, "tablesight.game/1")
        case .diary: (DiaryFile.self, DiaryFile.schemaName)
        case .lists: (PersonData.self, "tablesight.groceries/1")
        }
    }
}
