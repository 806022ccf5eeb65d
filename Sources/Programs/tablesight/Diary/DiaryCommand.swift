import ArgumentParser
import Catalogue
import Core
import Diary
import Foundation
import Foods
import Store

struct DiaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diary",
        abstract: "Keeps a food diary: meals, totals against a goal, and a projection of weight.",
        help: """
            EXAMPLES
              tablesight diary add oats --portion "60 g" --person Ada     log a food of the catalogue
              tablesight diary add --barcode 9520100001017 --portion "2 tbsp"
              tablesight diary add --photo yoghurt.jpg                    log the product of a barcode photo
              tablesight diary add --quick 450 --name "Lunch at work"     log energy without a food
              tablesight diary add oats --meal breakfast --day 2026-11-21
              tablesight diary add --reuse breakfast --from 2026-11-21    log a meal of that day again
              tablesight diary day                                        today against the goal
              tablesight diary close 2026-11-21                           nothing more was eaten on that day
              tablesight diary goal 1800 --weight 73 --sex female --born 1990 --height 168 --activity light
              tablesight diary project                                    where this leads, with its arithmetic
            """,
        subcommands: [
            Add.self, DayReport.self, WeekReport.self, Project.self, Export.self, Import.self, Goal.self, Weigh.self,
            Close.self, Code.self, Remove.self,
        ])

    struct Place: ParsableArguments {
        @Option(help: "The person (default: the only one with a diary).")
        var person: String?

        @OptionGroup var database: DatabaseOption

        @Flag(help: "Print JSON instead of text.")
        var json = false

        /// - Parameters:
        ///   - makes: true creates the diary of a named person.
        ///   - catalogue: nil for the imported products alone.
        func open(makes: Bool = false, _ catalogue: Catalogue? = nil) async throws -> (DiaryActions, OpenDiary) {
            let actions = DiaryActions(
                try database.store(makes: makes), catalogue: catalogue ?? Catalogue(folder: Catalogue.usualFolder()))
            let owners = try await actions.owners()
            guard let name = person ?? (owners.count == 1 ? owners.first : nil) else {
                let names = owners.joined(separator: ", ")
                throw ValidationError("name the person with --person" + (names.isEmpty ? "" : ": \(names)"))
            }
            if let diary = try await actions.openStored(name, begins: makes) { return (actions, diary) }
            throw StartupError(
                .noInput, "\(name) has no diary in \(database.file): add a meal, or name another --database")
        }
    }

    static let figures = FigureText(language: "en")

    static func lines(_ lines: [String]) throws { try StandardOutput.write(lines.joined(separator: "\n") + "\n") }

    /// `1,320 of 1,800 calories, 73 %`.
    static func against(_ goal: UserGoal?, _ totals: MacroTotals) -> String {
        guard let goal else { return "\(figures.whole(totals.calories)) calories" }
        let share = figures.whole(totals.calories * 100 / goal.dailyCalories)
        return "\(figures.whole(totals.calories)) of \(figures.whole(goal.dailyCalories)) calories, \(share) %"
    }

    static func macros(_ totals: MacroTotals) -> String {
        zip(MacroTotals.Macro.allCases, ["protein", "carbohydrate", "fat"]).map { macro, name in
            switch totals.known(macro) {
            case .exact(let grams): "\(name) \(figures.one(grams)) g"
            case .atLeast(let grams, let without):
                "\(name) at least \(figures.one(grams)) g (\(without) not stated)"
            case .nothing: "\(name) not stated"
            }
        }.joined(separator: " · ")
    }

    static func line(_ entry: MealEntry) -> String {
        let brand = entry.food.brand.map { ", \($0)" } ?? ""
        return "  \(figures.whole(entry.totals.calories)) kcal  \(entry.food.name)\(brand), \(entry.serving.sizeLabel)"
            .printable
    }
}

extension Day: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Meal: ExpressibleByArgument {}
extension UserGoal.Sex: ExpressibleByArgument {}
extension UserGoal.Activity: ExpressibleByArgument {}
