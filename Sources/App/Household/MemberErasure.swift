import HTTP
import Foods
import Core
import Diary
import Foundation
import Groceries
import Household
import Store

/// Deletes a member with everything that is theirs, and says what it was.
package struct MemberErasure: Sendable {
    /// What there was.
    package struct Report: Sendable, Hashable, Codable {
        package var removed: String
        /// Entries and weights of the diary.
        package var diaryEntries, weights: Int
        /// Lists that nobody else has, and lists that stay with others.
        package var lists, sharedLists: Int
        package var prices, experiences: Int
        /// Items saved from photos.
        package var saved: Int
        /// Devices that this person used; they stay, and ask who it is.
        package var devices: Int
    }

    private let store: OutcomeStore
    private let groceries: Groceries

    package init(_ store: OutcomeStore, rules: GroceryRules) {
        self.store = store
        groceries = Groceries(store, rules: rules)
    }

    /// What a member has now; nil if there is no such member.
    package func report(of name: String) throws -> Report? {
        let household = Household(store)
        guard let member = try household.member(named: name) else { return nil }
        let name = member.name
        let data = try groceries.exported(name)
        let (entries, weights) = try Diary(store).extent(of: name)
        return Report(
            removed: name, diaryEntries: entries, weights: weights,
            lists: data.lists.filter { $0.list.people.count <= 1 }.count,
            sharedLists: data.lists.filter { $0.list.people.count > 1 }.count, prices: data.prices.count,
            experiences: data.experiences.filter { $0.by == name }.count,
            saved: try store.saved(by: member.id).count,
            devices: try household.devices().count { $0.member == member.id })
    }

    /// - Parameter isAlone: true if no daemon has the database open; the file is then rewritten.
    /// - Returns: what there was; nil if there is no such member.
    package func erase(_ name: String, isAlone: Bool) throws -> Report? {
        let household = Household(store)
        guard let member = try household.member(named: name), let report = try report(of: name) else { return nil }
        _ = try Diary(store).remove(member.name)
        try groceries.erase(member.name, isAlone: false)
        _ = try household.remove(member.id)
        try store.removeTraces(isAlone: isAlone)
        return report
    }
}
