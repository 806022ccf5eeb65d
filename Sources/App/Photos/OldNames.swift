import Core
import HTTP
import Hummingbird

// Names for the features that are not converted yet. This file ends with the last of them.

typealias Values = [String: Any]
package typealias APIImage = PhotoStatus
package typealias APIImages = PhotoFolder
typealias APIHistoryQuery = HistoryQuery
typealias APIHistoryPage = History
typealias HistoryService = PhotoUseCases

enum ImageRoutes {
    static var unknown: Problem { PhotoUseCases.unknown }
}

extension PhotoFolder {
    func image(_ id: String) async throws -> PhotoStatus? { try await photo(id) }
}

extension PageTexts {
    /// Name and first letter of a person.
    func who(_ name: String) -> Values {
        let shown = person(name)
        return ["name": shown, "letter": Self.letter(of: shown)]
    }
}

extension PhotoOverlay {
    func values(image: String) -> Values { PageValues.all(of: self).merging(["image": image]) { $1 } }
}

extension Parameters {
    func imageID() throws -> String {
        try PathParameter.checkedPhoto(try require("id").removingPercentEncoding ?? "")
    }
}
