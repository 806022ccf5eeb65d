import Core
import Diary
import Foundation
import Meals
import WeightProjection

/// What the diary's pages need of the daemon. The pages check access with ``level(_:of:)`` before they ask for anything else.
public protocol WebDiary: Sendable {
    // MARK: Access
    func level(_ keys: [String], of person: String) async throws -> DiaryAccess.Level
    /// The person of each key; nil for a key that opens nothing.
    func owners(_ keys: [String]) async throws -> [String?]
    /// People who let this person read their diary.
    func readable(by owner: String) async throws -> [String]
    /// The household, for the page that opens a diary.
    func names() async throws -> [String]
    /// - Parameter guesser: who guesses a code.
    /// - Returns: the new key; nil if the diary is open elsewhere and the code is missing or wrong.
    func open(_ person: String, zone: String, code: String?, from guesser: String) async throws -> String?
    func newCode(of person: String) async throws -> (code: String, expires: Date)
    func readers(of person: String) async throws -> [String]
    func setReader(_ reader: String, of person: String, isAllowed: Bool) async throws
    /// Deletes a diary with everything in it.
    func remove(_ person: String) async throws

    // MARK: Settings
    func person(_ name: String) async throws -> Diary.Person
    /// The people of the household who have opened a diary and may be allowed to read this one.
    func possibleReaders(of person: String) async throws -> [String]
    func setZone(_ zone: String, of name: String) async throws
    func setGoal(_ goal: UserGoal, of name: String) async throws
    /// - Parameter day: nil for today.
    func setWeight(_ kilograms: Decimal?, on day: Day?, of name: String) async throws

    // MARK: Pages
    /// - Parameter day: nil for today.
    func today(of name: String, on day: Day?) async throws -> WebDay
    func foods(_ text: String, of name: String, limit: Int) async throws -> [FoundFood]
    func product(_ text: String) async throws -> WebProduct
    func earlier(of name: String, before day: Day) async throws -> [EarlierMeal]
    /// - Parameter week: nil for this week.
    func week(_ week: Week?, of name: String) async throws -> WebWeek
    func projections(of name: String, weeks: Int) async throws -> WebProjections
    /// - Parameter name: of a label that names nothing.
    func photo(_ outcome: Outcome, name: String) async throws -> PhotoFood

    // MARK: Entries; errors are `Problem`s for people.
    func add(_ new: NewEntry, of name: String) async throws -> MealEntry
    func reuse(_ meal: Meal, from: Day?, on day: Day?, of name: String) async throws -> [MealEntry]
    func entry(_ id: String, of name: String) async throws -> MealEntry?
    func change(_ id: String, of name: String, portion: String?, meal: Meal?, day: Day?) async throws -> MealEntry
    func removeEntry(_ id: String, of name: String) async throws -> Bool
    func exported(_ name: String, asCSV: Bool) async throws -> Data
    func restore(_ file: Data, into name: String) async throws -> ImportReport
}

/// A day with what the page Today shows beside it.
public struct WebDay: Sendable {
    public var person: Diary.Person
    /// The person's current day.
    public var today: Day
    public var log: DayLog
    /// The day of ``log``.
    public var day: Day
    public var habits: [Habit]
    public var earlier: [EarlierMeal]
    public var projection: Projection?
    public var weight: (day: Day, kilograms: Decimal)?
    /// The person's hour of the day, 0…23.
    public var hour: Int

    public init(
        person: Diary.Person, today: Day, log: DayLog, day: Day, habits: [Habit], earlier: [EarlierMeal],
        projection: Projection?, weight: (day: Day, kilograms: Decimal)?, hour: Int
    ) {
        self.person = person
        self.today = today
        self.log = log
        self.day = day
        self.habits = habits
        self.earlier = earlier
        self.projection = projection
        self.weight = weight
        self.hour = hour
    }
}

public struct WebWeek: Sendable {
    public var person: Diary.Person
    public var today: Day
    public var week: Week
    public var summary: WeekSummary

    public init(person: Diary.Person, today: Day, week: Week, summary: WeekSummary) {
        self.person = person
        self.today = today
        self.week = week
        self.summary = summary
    }
}

public struct WebProjections: Sendable {
    public var person: Diary.Person
    public var today: Day
    /// As the goal says, then as logged; those that the data allow.
    public var all: [Projection]
    public var weight: (day: Day, kilograms: Decimal)?

    public init(
        person: Diary.Person, today: Day, all: [Projection], weight: (day: Day, kilograms: Decimal)?
    ) {
        self.person = person
        self.today = today
        self.all = all
        self.weight = weight
    }
}

/// What the catalogue says about a searched text that may be a product number.
public enum WebProduct: Sendable, Hashable { case noNumber, found, unknown, noEnergy }
