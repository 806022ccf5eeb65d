import TestSupport
import Testing
@testable import TextRecognition
import Core

@Suite struct TessdataTests {
    @Test func `A folder without languages is a startup error that names the package`() throws {
        let error = #expect(throws: StartupError.self) {
            try TesseractRecognizer(
                languages: ["eng"], models: ModelFolder(Repository.models), tessdata: "/nonexistent")
        }
        #expect(error?.exitCode == .unavailable)
        #expect(error?.message.contains("apt-get install tesseract-ocr-eng") == true)
        #expect(error?.message.contains("/nonexistent") == true)
    }

    @Test func `Missing languages are ignored`() throws {
        let recognizer = try TesseractRecognizer(
            languages: ["xxx", "eng", "../eng"], models: ModelFolder(Repository.models))
        #expect(recognizer.languages == ["en"])
        #expect(recognizer.engineVersion.hasPrefix("tesseract 5."))
    }

    @Test(arguments: [("eng", "en"), ("deu", "de"), ("ces", "cs"), ("chi_sim", "zh-Hans")])
    func `Tesseract's codes become BCP 47`(code: String, tag: String) {
        #expect(Tessdata.tag(code) == tag)
    }

    @Test func `An environment variable names the folder, an argument overrides it`() throws {
        #expect(throws: StartupError.self) {
            try Tessdata(languages: ["eng"], environment: ["TESSDATA_PREFIX": "/nonexistent"])
        }
        let chosen = try Tessdata(
            languages: ["eng"], folder: Tessdata.defaultFolder, environment: ["TESSDATA_PREFIX": "/nonexistent"])
        #expect(chosen.folder == Tessdata.defaultFolder)
    }
}
