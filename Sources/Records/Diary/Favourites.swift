import Core
import Foods
import Foundation
import GRDB
import Store

/// A food that a person marked, with the serving to propose.
package struct FavouriteFood: Sendable, Hashable, Codable, FetchableRecord {
    package var food: Food
    package var serving: Serving
}

extension Diary {
    /// More are refused.
    package static let mostFavourites = 200

    /// The marked foods, by name.
    ///
    /// - Parameter words: the beginnings of words that name or brand must have; empty for all.
    package func favourites(of person: String, words: [String] = []) throws -> [FavouriteFood] {
        let rows = try store.read(
            Row.fetchAll,
            "SELECT words, json AS food, serving FROM diary_favourite WHERE person = \(person) ORDER BY words")
        return try rows.filter { SearchedWords.match(words, in: $0["words"]) }.map { try FavouriteFood(row: $0) }
    }

    /// Marks a food, or changes the serving of a marked one.
    package func setFavourite(_ food: Food, _ serving: Serving, of name: String) throws {
        if let fault = food.fault ?? serving.fault { throw DiaryProblem.badEntry(fault) }
        let (json, portion) = (try JSONCoding.encode(food), try JSONCoding.encode(serving))
        try store.write { database in
            guard let person = try Self.person(database, name)?.name else { throw DiaryProblem.noDiary }
            let others = Table("diary_favourite").filter(Column("person") == person && Column("food") != food.id)
            guard try others.fetchCount(database) < Self.mostFavourites else {
                throw DiaryProblem.badEntry("there are \(Self.mostFavourites) favourites: remove one first")
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO diary_favourite VALUES (?, ?, ?, ?, ?)",
                arguments: [person, food.id, food.words, json, portion])
        }
    }

    /// - Returns: false if the food was not marked.
    package func removeFavourite(_ food: String, of person: String) throws -> Bool {
        try store.execute(literal: "DELETE FROM diary_favourite WHERE person = \(person) AND food = \(food)") > 0
    }
}

extension Diary {
    package func readers(of person: String) throws -> [String] { try names("reader", where: "person", is: person) }

    package func shared(with reader: String) throws -> [String] { try names("person", where: "reader", is: reader) }

    private func names(_ column: String, where other: String, is name: String) throws -> [String] {
        try store.read(
            String.fetchAll,
            "SELECT \(sql: column) FROM diary_reader WHERE \(sql: other) = \(name) ORDER BY 1")
    }

    /// Lets another member read a diary, or no longer.
    ///
    /// - Throws: ``DiaryProblem/noReader`` if the reader is the person or no member: else whoever takes that name next could read it.
    package func setReader(_ reader: String, of person: String, isAllowed: Bool) throws {
        try store.write { database in
            let known = try String.fetchOne(
                database, literal: "SELECT name FROM member WHERE key = \(DisplayName.key(of: reader)) AND ends IS NULL"
            )
            guard !isAllowed || known != nil && known != person else { throw DiaryProblem.noReader }
            let reader = known ?? reader
            try database.execute(
                literal: isAllowed
                    ? "INSERT OR IGNORE INTO diary_reader (person, reader) VALUES (\(person), \(reader))"
                    : "DELETE FROM diary_reader WHERE person = \(person) AND reader = \(reader)")
        }
    }
}
