import Core
import Foundation
import GRDB
import Foods
import Store

package enum PhotoChange: Sendable, Hashable {
    case added, replaced, withdrawn
    /// The photo was counted before, or shows nothing to eat.
    case nothing
}

/// The entry that a file of a diary's inbox made, and the content that the file had then.
private struct CountedFile: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "diary_photo"

    let person: String
    let path: Data
    var content: String
    var entry: String
    /// When the photo was taken or put there, seconds since 1970.
    var taken: Int64
}

extension Diary {
    /// Makes the entry of a photo in the diary's inbox agree with the file's content. One file makes one entry, and copies
    /// of it share that entry.
    ///
    /// - Other bytes at the same path, such as a photo that was rotated and saved again, replace the food. Time, meal and a
    ///   portion that the person chose stay. Hours later it is another meal: a scanner may give all photos one name.
    /// - Bytes without a food take the entry back, unless the person chose its portion.
    /// - An entry that the person removed is not made again.
    ///
    /// The next call completes what a crash left undone.
    ///
    /// - Parameters:
    ///   - food: nil if the photo shows none.
    ///   - content: id of the photo's bytes.
    ///   - taken: when the photo was taken or put there.
    package func log(
        _ food: Food?, at path: FilePathBytes, content: String, of name: String, taken: Date
    ) throws -> PhotoChange {
        guard let person = try person(name)?.name else { throw DiaryProblem.noDiary }
        let path = Data(path.bytes)
        let seconds = Int64(taken.timeIntervalSince1970)
        var before = try files("person = \(person) AND path = \(path)").first
        guard before?.content != content else { return .nothing }
        if let known = before, seconds - known.taken > PhotoRewriting.longest { before = nil }
        // A copy elsewhere may share the entry of the bytes before; then it is not this file's.
        let own = try before.flatMap { file in
            try files("person = \(person) AND entry = \(file.entry) AND path <> \(path)").isEmpty ? file : nil
        }
        if let copy = try files("person = \(person) AND content = \(content)").first {
            let change = try own.map { try withdraw($0, of: person) } ?? .nothing
            try note(CountedFile(person: person, path: path, content: content, entry: copy.entry, taken: seconds))
            return change
        }
        guard let food else { return try own.map { try withdraw($0, of: person) } ?? .nothing }
        guard var own else { return try add(food, at: path, content: content, of: person, taken: taken) }
        let entry = try entry(own.entry, of: person)
        if let entry { try put(entry.with(food), of: person) }
        own.content = content
        try note(own)
        return entry == nil ? .nothing : .replaced
    }

    private func add(
        _ food: Food, at path: Data, content: String, of person: String, taken: Date
    ) throws -> PhotoChange {
        var file = CountedFile(
            person: person, path: path, content: content,
            entry: "photo-" + content.replacing("sha256:", with: "").prefix(48),
            taken: Int64(taken.timeIntervalSince1970))
        if try entry(file.entry, of: person) != nil {
            // Without a note it is this content's entry, stored before a crash or by an earlier version.
            guard try !files("person = \(person) AND entry = \(file.entry)").isEmpty else {
                try note(file)
                return .nothing
            }
            file.entry += "-" + UUID().uuidString.lowercased().prefix(5)
        }
        try count(.foodScanned, of: person)
        _ = try add(food, id: file.entry, of: person, now: taken)
        try note(file)
        return .added
    }

    private func withdraw(_ file: CountedFile, of person: String) throws -> PhotoChange {
        let entry = try entry(file.entry, of: person)
        guard let entry, entry.serving == entry.food.defaultServing else { return .nothing }
        try store.execute(literal: "DELETE FROM diary_photo WHERE person = \(person) AND path = \(file.path)")
        return try removeEntry(file.entry, of: person) ? .withdrawn : .nothing
    }

    private func files(_ condition: SQL) throws -> [CountedFile] {
        try store.read(CountedFile.filter(literal: condition).fetchAll)
    }

    private func note(_ file: CountedFile) throws { try store.write { try file.insert($0, onConflict: .replace) } }
}

extension MealEntry {
    /// The entry with another food, and the portion that the person chose.
    fileprivate func with(_ food: Food) -> MealEntry {
        let chosen = serving == self.food.defaultServing ? nil : serving.sizeLabel
        var copy = self
        copy.food = food
        copy.serving = chosen.flatMap { try? PortionText.parse($0, of: food) } ?? food.defaultServing
        return copy
    }
}
