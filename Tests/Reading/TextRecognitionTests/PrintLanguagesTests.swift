import Foundation
import TestSupport
import Testing
@testable import TextRecognition
import Core

@Suite struct PrintLanguagesTests {
    private let languages: PrintLanguages

    init() throws { languages = try PrintLanguages(models: ModelFolder(Repository.models)) }

    @Test(arguments: [
        ("en", "Served with a salad of the day and our sauce"),
        ("de", "Gemüsesuppe mit Brot und Käse vom Hof"),
        ("fr", "Salade de chèvre avec des noix et du miel"),
        ("es", "Ensalada con queso de la sierra y el pan"),
        ("it", "Insalata con formaggio della casa e il pane"),
        ("nl", "Salade met kaas van het huis en een broodje"),
        ("pt", "Salada com queijo da serra e pão à mão"),
        ("pl", "Zupa dnia z mięsem i śmietaną oraz chleb"),
        ("cs", "Polévka s nudlemi a kuře na smetaně"),
        ("hu", "Csirkés leves és tejfölös túrós csusza a ház módjára"),
    ])
    func `A line of a menu has its language`(code: String, line: String) {
        #expect(languages.language(ofEach: [line]).first??.code == code)
    }

    @Test func `A line without words of its own gets its neighbours' language`() {
        let lines = ["Suppe mit Brot und Butter", "Lasagne", "Salat vom Hof mit Käse"]
        #expect(languages.language(ofEach: lines).map { $0?.code } == ["de", "de", "de"])
    }

    @Test func `A page of two languages has lines of both`() {
        let german = [
            "Zutaten: Zucker, Salz und Wasser", "kann Spuren von Milch enthalten", "Butter und Käse aus der Region",
        ]
        let french = [
            "Ingrédients: sucre, sel et eau", "peut contenir des traces de lait", "beurre et crème de la ferme",
        ]
        let codes = languages.language(ofEach: german + french).map { $0?.code }
        #expect(codes.first == "de" && codes.last == "fr")
    }

    @Test func `Numbers alone have no language`() {
        #expect(languages.language(ofEach: ["12.50", "8.00"]).allSatisfy { $0 == nil })
    }
}

@Suite struct WordCalibrationTests {
    @Test(arguments: ["network", "tesseract"])
    func `A more confident word is never less probable, whatever the evidence`(reader: String) throws {
        let calibration = try WordCalibration(models: ModelFolder(Repository.models), reader: reader)
        for crossCheck in WordEvidence.CrossCheck.allCases {
            for text in ["butter", "12.50", "g", "Xqzw"] {
                let evidence = WordEvidence(text, isKnown: { $0 == "butter" }, crossCheck: crossCheck)
                let values = (0...100).map { calibration.probability(Double($0) / 100, evidence) }
                #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
                #expect(values.allSatisfy { (0...1).contains($0) })
            }
        }
    }

    @Test func `The kind of a word is determined by its core`() {
        func kind(_ text: String) -> WordEvidence.Kind { WordEvidence(text, isKnown: { $0 == "Milk" }).kind }
        #expect(kind("(Milk)") == .known)
        #expect(kind("12,50€") == .number)
        #expect(kind("Xqzw") == .other)
        #expect(kind("of,") == .short)
    }

    @Test func `A decreasing map is refused with the file, the map and the remedy`() throws {
        let folder = try TemporaryFolder()
        let text = folder.url.appending(path: "text")
        try FileManager.default.createDirectory(at: text, withIntermediateDirectories: true)
        var maps = [String: [String: [Double]]]()
        for kind in WordEvidence.Kind.allCases {
            for crossCheck in WordEvidence.CrossCheck.allCases {
                maps["\(kind.rawValue).\(crossCheck.rawValue)"] = ["reader": [0, 1], "probability": [0.9, 0.1]]
            }
        }
        struct Table: Encodable {
            let schema = "tablesight.textCalibration/1"
            let version = "1"
            let source = "own"
            let licence = "own"
            let readers: [String: [String: [String: [Double]]]]
        }
        try JSONEncoder().encode(Table(readers: ["network": maps, "tesseract": maps]))
            .write(to: text.appending(path: "calibration.json"))
        let error = #expect(throws: StartupError.self) {
            try WordCalibration(models: ModelFolder(folder.url), reader: "network")
        }
        #expect(error?.message.contains("text/calibration.json") == true)
        #expect(error?.message.contains("no rising map") == true)
        #expect(error?.message.contains("scripts/fit-text-calibration") == true)
    }
}
