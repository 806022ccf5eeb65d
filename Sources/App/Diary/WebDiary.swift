import Core
import Diary
import Foundation
import HTTP
import Meals
import WeightProjection

/// What the diary's pages need of the daemon. The pages ask for ``access(to:for:)`` before they ask for anything else.
protocol WebDiary: Sendable {
    // MARK: Access
    /// What somebody may do with a diary.
    ///
    /// - Parameter name: in any spelling; nil for the diary of whoever asks.
    /// - Returns: the name as stored.
    /// - Throws: `Problem` 403 `locked`, 404.
    func access(to name: String?, for identity: Identity) async throws -> (person: String, level: DiaryLevel)
    /// People whose diary this person may read: those who allowed it, and children.
    func readable(by reader: String) async throws -> [String]
    func readers(of person: String) async throws -> [String]
    func setReader(_ reader: String, of person: String, isAllowed: Bool) async throws
    /// Deletes a diary with everything in it.
    func remove(_ person: String) async throws

    // MARK: Settings
    func person(_ name: String) async throws -> Diary.Person
    /// The other adults of the household.
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
struct WebDay: Sendable {
    var person: Diary.Person
    /// The person's current day.
    var today: Day
    var log: DayLog
    /// The day of ``log``.
    var day: Day
    var habits: [Habit]
    var earlier: [EarlierMeal]
    var projection: Projection?
    var weight: (day: Day, kilograms: Decimal)?
    /// The person's hour of the day, 0…23.
    var hour: Int

    init(
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

struct WebWeek: Sendable {
    var person: Diary.Person
    var today: Day
    var week: Week
    var summary: WeekSummary

    init(person: Diary.Person, today: Day, week: Week, summary: WeekSummary) {
        self.person = person
        self.today = today
        self.week = week
        self.summary = summary
    }
}

struct WebProjections: Sendable {
    var person: Diary.Person
    var today: Day
    /// As the goal says, then as logged; those that the data allow.
    var all: [Projection]
    var weight: (day: Day, kilograms: Decimal)?

    init(
        person: Diary.Person, today: Day, all: [Projection], weight: (day: Day, kilograms: Decimal)?
    ) {
        self.person = person
        self.today = today
        self.all = all
        self.weight = weight
    }
}

/// What the catalogue says about a searched text that may be a product number.
enum WebProduct: Sendable, Hashable { case noNumber, found, unknown, noEnergy }
