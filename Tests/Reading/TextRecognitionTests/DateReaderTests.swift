import Core
import Foundation
import TestSupport
import Testing
@testable import TextRecognition

private let models = ModelFolder(Repository.models)

@Suite struct `The reader of dotted dates` {
    @Test(.enabled(if: NetworkTextRecognizer.isInstalled(models: models)), arguments: ["EXP 01/02/26", "02/06/21"])
    func `dots are read as letters`(text: String) throws {
        let files = try #require(TextModels(models: models))
        let reader = try CascadeLineReader(files, dates: models.load(DateReaderFile.self, from: DateReaderFile.path))
        let (pitch, width) = (4, 24 * text.count)
        let plain = try #require(
            Raster(
                width: width + 80, height: 120, format: .gray8,
                bytes: [UInt8](repeating: 200, count: (width + 80) * 120)
            ))
        let page = try DottedPrint(text: text, x: 40, y: 46, pitch: pitch).added(to: plain, ink: 40)
        let line = DetectedLine(shape: LineShape(Quad(x: 30, y: 37, width: Double(width + 16), height: 43)), score: 1)
        let read = try reader.dateLine(line, on: page)
        #expect(read.letters.text == text)
        #expect(read.words.first.map { abs($0.box.minX - 40) < 12 } == true, "letters have their places")
    }

    @Test(arguments: [
        (#""letters": "0123456789AB ""#, "tablesight.date-reader/9", "schema"),
        (#""letters": "0123456789AB""#, "tablesight.date-reader/1", "letters"),
        (#""letters": "00123456789 ""#, "tablesight.date-reader/1", "letters"),
        (#""letters": "12345678 ""#, "tablesight.date-reader/1", "letters"),
    ])
    func `an invalid file is reported with its name, the key and the remedy`(
        letters: String, schema: String, key: String
    )
        throws
    {
        let folder = try TemporaryFolder()
        let text = #"{"schema": "\#(schema)", "version": "1", "licence": "Apache-2.0", "source": "test", \#(letters)}"#
        try folder.write(Data(text.utf8), to: DateReaderFile.path)
        let error = #expect(throws: StartupError.self) {
            try ModelFolder(folder.url).load(DateReaderFile.self, from: DateReaderFile.path)
        }
        #expect(error?.exitCode == .configuration)
        for part in ["reader.json", key, "scripts/train-dates"] { #expect(error?.message.contains(part) == true) }
    }
}
