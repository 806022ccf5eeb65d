import ArgumentParser
import Core
import Diary
import Foundation
import Foods

extension DiaryCommand {
    struct Export: AsyncParsableCommand {
        enum Format: String, ExpressibleByArgument, CaseIterable { case json, csv }

        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes everything of a diary to standard output.",
            help: """
                EXAMPLES
                  tablesight diary export --person Ada > ada.json
                  tablesight diary export --format csv > diary.csv
                """)
        @Option(help: "json keeps everything; csv has one row for each entry and weight.") var format = Format.json
        @OptionGroup var place: Place

        func run() async throws {
            let (actions, diary) = try await place.open()
            switch format {
            case .json: try StandardOutput.writeLine(try await actions.exported(diary))
            case .csv: try StandardOutput.write(try await actions.exportedCSV(diary))
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Adds the entries or weights of a file: of Tablesight, other diaries, Apple Health or scales.",
            help: """
                Entries: Tablesight's JSON or CSV, MyFitnessPal's Nutrition Summary, Cronometer's Servings. An entry that
                was imported before is replaced, so a file can be imported twice.

                Weights: Apple Health's export.xml, and CSV with a column of dates and a column such as "Weight (kg)".
                The first weight of a day counts. Days that have a weight keep it.

                EXAMPLES
                  tablesight diary import ada.json --person Ada
                  tablesight diary import Nutrition-Summary.csv --person Ada     MyFitnessPal
                  tablesight diary import servings.csv --person Ada              Cronometer
                  tablesight diary import export.xml --person Ada                Apple Health
                  tablesight diary import weight.csv --person Ada                a scale
                """)
        @Argument(help: "The file.") var file: String
        @OptionGroup var place: Place

        func run() async throws {
            guard let input = FileHandle(forReadingAtPath: file) else {
                throw StartupError(.noInput, "cannot read \(file)")
            }
            defer { try? input.close() }
            let (actions, diary) = try await place.open(makes: true)
            let report: ImportReport
            do {
                var bar: ProgressBar?
                defer { bar?.clear() }
                report = try actions.importFile(at: input.fileDescriptor, into: diary) { read, size in
                    bar = bar ?? ProgressBar(total: size >> 20)
                    bar?.advance(to: read >> 20, saying: "MiB")
                }
            } catch DiaryProblem.badFile(let detail, _) { throw StartupError(.badInput, "\(file): \(detail)") }
            for reason in report.reasons { StandardError.write("tablesight: \(file), \(reason)".printable + "\n") }
            if place.json {
                try StandardOutput.writeLine(report)
            } else {
                try DiaryCommand.lines([Self.line(report)])
            }
            if report.rejected > 0 { throw ExitCode.someFailed }
        }

        private static func line(_ report: ImportReport) -> String {
            let left = "\(report.rejected) rows left out"
            guard report.isOfWeights else {
                return "\(report.entries) new or changed entries, \(report.weights) new or changed weights, "
                    + "\(report.unchanged) already there (\(report.format)), \(left)"
            }
            return "\(report.weights) weights imported (\(report.format)), \(report.kept) days kept their weight, "
                + "\(report.repeats) later weights of a day left out, \(left)"
        }
    }

    struct Goal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "goal",
            abstract: "Sets the goal, and what the projection needs.",
            help: """
                EXAMPLES
                  tablesight diary goal 1800 --person Ada
                  tablesight diary goal 1800 --weight 73 --target 69 --by 2027-03-01
                  tablesight diary goal 1800 --sex female --born 1990 --height 168 --activity light
                """)
        @Argument(help: "Kilocalories a day.") var calories: Double
        @Option(help: "Weight now, kg.") var weight: Double?
        @Option(help: "Weight to reach, kg.") var target: Double?
        @Option(help: "Day by which to reach it.") var by: Day?
        @Option(help: "Sex, for the formula of the resting expenditure.") var sex: UserGoal.Sex?
        @Option(help: "Birth year.") var born: Int?
        @Option(help: "Height, cm.") var height: Double?
        @Option(help: "Physical activity.") var activity: UserGoal.Activity?
        @Option(help: "Time zone of new entries, such as Europe/Berlin.") var zone: String?
        @OptionGroup var place: Place

        func run() async throws {
            let (actions, diary) = try await place.open(makes: true)
            func decimal(_ value: Double) -> Decimal { Decimal(value).rounded(places: 3) }
            var goal = try await actions.person(of: diary).goal ?? UserGoal(dailyCalories: 0)
            goal.dailyCalories = decimal(calories)
            if let weight { goal.currentWeight = decimal(weight) }
            if let target { goal.targetWeight = decimal(target) }
            if let by { goal.targetDate = by }
            if let sex { goal.sex = sex }
            if let born { goal.birthYear = born }
            if let height { goal.height = decimal(height) }
            if let activity { goal.activity = activity }
            try await actions.set(zone: zone, goal: goal, weight: weight.map(decimal), of: diary)
            if place.json { try StandardOutput.writeLine(goal) }
        }
    }

    struct Weigh: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "weight", abstract: "Logs a weight.",
            help: """
                EXAMPLES
                  tablesight diary weight 73.2
                  tablesight diary weight 73.4 --day 2026-11-20 --person Ada
                """)
        @Argument(help: "Kilograms.") var kilograms: Double
        @Option(help: "Day, yyyy-MM-dd (default: today).") var day: Day?
        @OptionGroup var place: Place

        func run() async throws {
            guard kilograms.isFinite else { throw ValidationError("a weight is a number of kilograms") }
            let weight = Decimal(kilograms).rounded(places: 3)
            // A mistyped weight begins no diary.
            if let fault = Weight.fault(weight) { throw ValidationError(fault) }
            let (actions, diary) = try await place.open(makes: true)
            try await actions.setWeight(weight, on: day, of: diary)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes entries, or the whole diary of a person.",
            help: """
                EXAMPLES
                  tablesight diary remove 0f6f… --person Ada --yes      by the id that `diary day --json` prints
                  tablesight diary remove --all --person Ada --yes      everything
                """)
        @Argument(help: "Ids of entries.") var ids: [String] = []
        @Flag(help: "Delete the person's diary.") var all = false
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var place: Place

        func run() async throws {
            guard all != !ids.isEmpty else { throw ValidationError("give ids of entries, or --all") }
            let (actions, diary) = try await place.open()
            try confirmation.ask(
                (all ? "the whole diary" : "\(ids.count) \(ids.count == 1 ? "entry" : "entries")")
                    + " of \(diary.person.printable)")
            if all { return try await actions.remove(diary) }
            for id in ids { try await actions.removeEntry(id, of: diary) }
        }
    }

    /// Ended: a PIN opens a diary.
    struct Code: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "code", abstract: "Ended: a person chooses themselves in the app, and a PIN opens the diary.",
            shouldDisplay: false)
        @OptionGroup var place: Place

        func run() throws {
            throw StartupError(
                .usage,
                "codes of diaries have ended: choose the person under \"Who is it?\" in the app, and type the PIN. "
                    + "`tablesight household pair` lets a new phone in, `tablesight household pin NAME --remove` removes "
                    + "a forgotten PIN")
        }
    }
}
