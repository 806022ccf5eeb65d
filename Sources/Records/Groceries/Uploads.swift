import Core
import Foundation
import GRDB

// Who sent a photo: its prices are contributions of that person.
extension Groceries {
    /// Notes who sent a photo. The first person stays: sending somebody else's photo again earns nothing.
    ///
    /// - Parameter photo: `sha256:…`.
    package func noteUpload(of photo: String, by person: String) throws {
        try store.execute(
            literal: "INSERT INTO grocery_upload VALUES (\(photo), \(person)) ON CONFLICT (photo) DO NOTHING")
    }

    /// The person who sent a photo; nil for a photo that was put in a folder, or sent without a session.
    package func uploader(of photo: String) throws -> String? {
        try store.read(String.fetchOne, "SELECT person FROM grocery_upload WHERE photo = \(photo)")
    }

    /// Records the prices of a photo for the person who sent it. The note about a photo without receipt and price tag is
    /// deleted: nothing needs to know who sent a menu.
    ///
    /// - Parameter path: the file; the prices of the bytes that it had before are taken back, unless a copy has them.
    /// - Returns: nil without a receipt and a price tag.
    package func recordUploaded(_ outcome: Outcome, at path: FilePathBytes? = nil) throws -> DocumentReport? {
        if let path { try store.write { try self.replaceContent($0, at: Data(path.bytes), with: outcome) } }
        if outcome.receipt == nil, outcome.priceTag == nil {
            guard let photo = outcome.id, try uploader(of: photo) != nil else { return nil }
            try store.execute(literal: "DELETE FROM grocery_upload WHERE photo = \(photo)")
            return nil
        }
        return try record(outcome, by: try outcome.id.flatMap { try uploader(of: $0) })
    }

    /// The photos that a person sent and that hold prices.
    static func uploads(_ database: Database, of person: String) throws -> [String] {
        try String.fetchAll(
            database, literal: "SELECT photo FROM grocery_upload WHERE person = \(person) ORDER BY photo")
    }
}
