import Core
import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

/// Weights of CSV files that scales and their apps write.
@Suite struct ScaleTableTests {
    private let folder: TemporaryFolder
    private let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
    }

    private func imported(_ text: String) throws -> ImportReport { try diary.importFile(Data(text.utf8), into: "Ada") }

    private func weights() throws -> [String] {
        try diary.weights(of: "Ada").map { "\($0.day) \($0.kilograms)" }
    }

    private func reason(_ text: String) throws -> String {
        let problem = try #require(throws: DiaryProblem.self) { try imported(text) }
        #expect(try weights() == [])
        return problem.detail
    }

    struct Table: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let weights: [String]

        init(_ name: String, _ text: String, _ weights: [String]) {
            (testDescription, self.text, self.weights) = (name, text, weights)
        }
    }

    @Test(arguments: [
        Table(
            "Withings",
            """
            Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)","Muscle mass (kg)","Hydration (kg)",Comments
            "2024-03-06 07:15:02",72.35,14.2,3.1,55.0,41.2,"after, breakfast"
            "2024-03-05 21:10:00",73.10,,,,,
            "2024-03-05 07:12:33",72.5,,,,,
            "2024-03-04 07:12:33",,,,,,
            """, ["2024-03-05 72.5", "2024-03-06 72.35"]),
        Table(
            "Withings in pounds", "Date,\"Weight (lb)\",\"Fat mass (lb)\"\n\"2024-03-05 07:12:33\",160.5,30.1\n",
            ["2024-03-05 72.802"]),
        Table(
            "Renpho",
            """
            \u{FEFF}Time of Measurement,Weight(kg),BMI,Body Fat(%),Fat-free Body Weight(kg),Remarks\r
            2024.03.05 07:12:33,72.50,22.9,18.2,59.30,--\r
            2024.03.06 07:12:33,72.40,22.8,18.1,59.20,--\r

            """, ["2024-03-05 72.5", "2024-03-06 72.4"]),
        Table(
            "a title, month first, a time in a column of its own",
            "Body\nDate,Time,Weight (lbs),BMI,Fat\n\"3/5/2024\",9:10 PM,161,22.9,18\n\"3/5/2024\",7:12 AM,160.5,22.9,18\n"
                + "\"3/25/2024\",12:05 AM,160.5,22.9,18\n",
            ["2024-03-05 72.802", "2024-03-25 72.802"]),
        Table(
            "German, with semicolons and decimal commas",
            "Datum;Uhrzeit;Gewicht (kg);Körperfett (%)\n05.03.2024;07:12;72,5;18,2\n06.03.2024;07:15;72,35;18,1\n",
            ["2024-03-05 72.5", "2024-03-06 72.35"]),
        Table(
            "French and Spanish", "poids (kg)\tdate\n72,5\t25/03/2024 07:12\n71\t01/04/2024\n",
            ["2024-03-25 72.5", "2024-04-01 71"]),
        Table(
            "units in the values", "date,weight\n2024-03-05,72.5 kg\n2024-03-06,160.5lb\n2024-03-07,11.5 st\n",
            ["2024-03-05 72.5", "2024-03-06 72.802", "2024-03-07 73.028"]),
        Table("stones", "Date,Weight (st)\n2024/3/5,11.5\n", ["2024-03-05 73.028"]),
        Table(
            "times in UTC count in the person's zone, others on their own day",
            "time,weight_kg\n2024-03-05T23:30:00Z,72\n2024-03-07T23:30:00-08:00,71\n2024-03-09T07:00:00.123+01:00,70\n",
            ["2024-03-06 72", "2024-03-07 71", "2024-03-09 70"]),
        Table(
            "day and month the same leave no choice", "Date,Weight (kg)\n03/03/2024,72\n4-4-2024,71\n",
            ["2024-03-03 72", "2024-04-04 71"]),
    ])
    func `tables of scales are read`(table: Table) throws {
        let report = try imported(table.text)
        #expect(try weights() == table.weights)
        #expect(report.format == "scale-csv" && report.weights == table.weights.count, "\(report)")
        #expect(report.rejected == 0, "\(report.reasons)")
        let again = try imported(table.text)
        #expect(again.weights == 0 && again.kept == table.weights.count)
        #expect(try weights() == table.weights)
    }

    @Test func `dates that fit both orders are refused`() throws {
        #expect(
            try reason("Date,Weight (kg)\n03/05/2024,72\n12/11/2024,71\n")
                == "the dates of the column “date” can be read with the day first or with the month first (row 2): "
                + "write them as 2026-11-22")
        #expect(
            try reason("Date,Weight (kg)\n13/05/2024,72\n05/13/2024,71\n")
                == "the dates of the column “date” have the day first in some rows (row 2) and the month first in "
                + "others (row 3): write them as 2026-11-22")
    }

    @Test(arguments: ["Weight", "Weight (oz)", "Gewicht"])
    func `a column without a unit is refused`(name: String) throws {
        let column = name.lowercased()
        #expect(
            try reason("Date,\(name)\n2024-03-05,72\n")
                == "the column “\(column)” names no unit: write kg, lb or st into its name, such as “Weight (kg)”")
    }

    @Test(arguments: ["Date,Mass\n2024-03-05,72\n", "Name,Weight (kg)\nAda,72\n", "Weight (kg),Weight (lb)\n72,160\n"])
    func `a table without dates or without weights is refused`(text: String) throws {
        #expect(try reason(text).contains("a column of dates and a column “Weight (kg)”"))
    }

    @Test func `rows that cannot be used are named, and stored weights stay`() throws {
        try diary.setWeight(80, on: try #require(Day("2024-03-05")), of: "Ada")
        let report = try imported(
            """
            Date,Weight (kg)
            2024-03-05,72
            2024-02-30,72
            today,72
            2024-03-06,7
            2024-03-07,"1,072.5"
            2024-03-08,n/a
            2024-03-09 25:00,72
            2024-03-10
            2024-03-11,71
            """)
        #expect(try weights() == ["2024-03-05 80", "2024-03-11 71"])
        #expect(report.weights == 1 && report.kept == 1 && report.rejected == 6)
        let date = "the row has no date such as 2026-11-22"
        #expect(
            report.reasons == [
                "row 3: \(date)", "row 4: \(date)", "row 5: a weight must be from 20 to 400 kg",
                "row 6: a weight must be from 20 to 400 kg", "row 7: “n/a” is not a weight", "row 8: \(date)",
            ])
    }

    @Test func `damaged tables are read or refused, without a crash`() throws {
        var dice = Dice(11)
        let letters = Array("0123456789/-.:,;\tTZ+ kglbst\"\n\r")
        for _ in 0..<1500 {
            let text = "Date,Weight (kg)\n2024-03-05," + String((0..<dice.roll(80)).map { _ in dice.pick(letters) })
            do { _ = try imported(text) } catch DiaryProblem.badFile {}
        }
        #expect(try weights().count < 1500)
    }

    @Test(arguments: [(33_000, 250), (500_001, 1)])
    func `a table that is too long is refused, not cut off`(rows: Int, fields: Int) throws {
        let row = Data(String(repeating: ",", count: fields).utf8) + [0x0A]
        var file = Data("Date,Weight (kg)\n".utf8)
        for _ in 0..<rows { file += row }
        let problem = try #require(throws: DiaryProblem.self) { try diary.importFile(file, into: "Ada") }
        #expect(problem.detail == "the table has more than 500,000 rows or 8 million fields: divide it")
    }
}
