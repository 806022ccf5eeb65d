import ArgumentParser
import Core
import Diary
import Foundation
import Foods

extension DiaryCommand {
    struct DayReport: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "day", abstract: "Shows a day's meals against the goal.",
            help: """
                EXAMPLES
                  tablesight diary day
                  tablesight diary day 2026-11-21 --person Ada --json
                """)
        @Argument(help: "Day, yyyy-MM-dd (default: today).") var day: Day?
        @OptionGroup var place: Place

        func run() async throws {
            let (actions, diary) = try await place.open()
            let (person, log) = (try await actions.person(of: diary), try await actions.day(day, of: diary))
            if place.json { return try StandardOutput.writeLine(log) }
            guard !log.entries.isEmpty else {
                return try DiaryCommand.lines(["\(log.id), \(person.name): nothing logged; log your first meal"])
            }
            var lines = ["\(log.id), \(person.name): \(DiaryCommand.against(person.goal, log.totals))"]
            for meal in Meal.allCases {
                let own = log.entries.filter { $0.meal == meal }
                guard !own.isEmpty else { continue }
                let sum = own.reduce(Decimal(0)) { $0 + $1.totals.calories }
                lines.append("\(meal.rawValue.capitalized), \(DiaryCommand.figures.whole(sum)) kcal")
                lines += own.map(DiaryCommand.line)
            }
            try DiaryCommand.lines(lines + [DiaryCommand.macros(log.totals)])
        }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "close", abstract: "Lets a day count in the projection although usual meals are missing.",
            help: """
                EXAMPLES
                  tablesight diary close 2026-11-21 --person Ada
                  tablesight diary close 2026-11-21 --person Ada --reopen      count it by its usual meals again
                """)
        @Argument(help: "Day, yyyy-MM-dd.") var day: Day
        @Flag(help: "Count the day by its usual meals again.") var reopen = false
        @OptionGroup var place: Place

        func run() async throws {
            let (actions, diary) = try await place.open()
            try await actions.setClosed(!reopen, day, of: diary)
            let log = try await actions.day(day, of: diary)
            if place.json { return try StandardOutput.writeLine(log) }
            try DiaryCommand.lines(["\(log.id), \(diary.person): \(reopen ? "open again" : "closed")"])
        }
    }

    struct WeekReport: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "week", abstract: "Shows a week: mean, days within the goal, most eaten foods.",
            help: """
                EXAMPLES
                  tablesight diary week
                  tablesight diary week 2026-W46 --person Ada
                """)
        @Argument(help: "Week, yyyy-Www (default: this week).") var week: String?
        @OptionGroup var place: Place

        func run() async throws {
            let (actions, diary) = try await place.open()
            let chosen = try week.map { text in
                guard let week = Week(text) else { throw ValidationError("\(text) is not a week such as 2026-W47") }
                return week
            }
            let summary = try await actions.week(chosen, of: diary).summary
            if place.json { return try StandardOutput.writeLine(summary) }
            let figures = DiaryCommand.figures
            var lines = ["\(summary.id), \(diary.person)"]
            lines += summary.points.map { "  \($0.date)  \(figures.whole($0.calories)) kcal" }
            guard let average = summary.average else {
                return try DiaryCommand.lines(lines + ["no full day is logged"])
            }
            lines.append("mean of \(summary.fullDays) full days: \(figures.whole(average.calories)) kcal")
            lines.append("  " + DiaryCommand.macros(average))
            if let days = summary.daysWithinGoal {
                lines.append("\(days) of \(summary.fullDays) days within \(WeekSummary.tolerance) kcal of the goal")
            }
            if let deficit = summary.shownDeficit, let reference = summary.deficitAgainst {
                let way = deficit < 0 ? "above" : "below"
                lines.append("\(figures.whole(abs(deficit))) kcal a day \(way) the \(reference)")
            }
            lines += summary.topFoods.map { "  \(figures.whole($0.calories)) kcal  \($0.count) × \($0.name)".printable }
            if let meal = summary.mostLoggedMeal { lines.append("most logged meal: \(meal.rawValue)") }
            try DiaryCommand.lines(lines)
        }
    }

    struct Project: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "project",
            abstract: "Projects the weight as a range, with the arithmetic.",
            help: """
                The range comes from the uncertainty of intake, expenditure and model. It needs a weight, and either sex,
                birth year, height and activity (`tablesight diary goal`) or 14 days of weights and meals.

                EXAMPLES
                  tablesight diary project
                  tablesight diary project --weeks 26 --person Ada --json
                """)
        @Option(help: "Weeks, 1 to \(DiaryActions.mostWeeks).") var weeks = DiaryActions.usualWeeks
        @OptionGroup var place: Place

        func validate() throws {
            guard (1...DiaryActions.mostWeeks).contains(weeks) else {
                throw ValidationError("--weeks must be from 1 to \(DiaryActions.mostWeeks)")
            }
        }

        func run() async throws {
            let (actions, diary) = try await place.open()
            // What was eaten comes first.
            let all: [Projection] = try await actions.projections(of: diary, weeks: weeks).projections.reversed()
            if place.json { return try StandardOutput.writeLine(all) }
            guard !all.isEmpty else {
                throw StartupError(
                    .noInput,
                    "a projection needs a weight, and either sex, birth year, height and activity "
                        + "(`tablesight diary goal`) or 14 days of weights and meals; "
                        + "“As logged so far” needs three days with the usual meals")
            }
            var lines: [String] = []
            for projection in all {
                let what = projection.scenario == .asLogged ? "As logged so far" : "With the goal"
                if let end = projection.points.last {
                    lines.append(
                        "\(what): \(DiaryCommand.figures.one(end.weight.low)) to "
                            + "\(DiaryCommand.figures.one(end.weight.high)) kg in \(end.week) weeks, from "
                            + "\(DiaryCommand.figures.one(projection.start)) kg")
                }
                lines += projection.steps.map { "  \($0.text)" } + projection.warnings.map { "  Warning: \($0.text)" }
            }
            try DiaryCommand.lines(lines)
        }
    }
}
