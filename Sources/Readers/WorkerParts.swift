import BarcodeRecognition
import Foundation
import TextRecognition
import Vocabulary

/// What the worker is linked with and what it finds, for `tablesight doctor`.
public enum WorkerParts {
    /// Starts each engine once, so that a part that is there and broken is missing too.
    public static func all(models: ModelFolder) -> [WorkerPart] {
        var parts = [
            WorkerPart(
                name: "zbar", version: BarcodeLadder.zbarVersion, cost: "no barcode is read", remedy: "scripts/setup",
                isNeeded: true),
            WorkerPart(
                name: "zxing-cpp", version: ZXingLibrary(models: models)?.version,
                cost: "one barcode in seven is not read, no micro QR code at all, and no decoder confirms the other",
                remedy: "scripts/setup", isNeeded: false),
        ]
        let engine = try? TesseractRecognizer(models: models)
        parts.append(
            WorkerPart(
                name: "tesseract", version: engine?.engineVersion, cost: "no text is read, so no menu and no label",
                remedy: "scripts/setup", isNeeded: true))
        parts.append(networks(models: models))
        for language in (try? PrintLanguageList(models: models).languages) ?? [] {
            let recognizer = try? TesseractRecognizer(languages: [language.tesseract], models: models)
            let name = Locale(identifier: "en").localizedString(forLanguageCode: language.code) ?? language.code
            parts.append(
                WorkerPart(
                    name: "tesseract, \(name)", version: recognizer.map { _ in "installed" },
                    cost: "no second reader looks at doubtful words in \(name)",
                    remedy: "sudo apt-get install tesseract-ocr-\(language.tesseract)", isNeeded: false))
        }
        return parts
    }

    /// True where this worker was started to read by Tesseract alone.
    static var isToldToGoWithoutNetworks: Bool {
        ProcessInfo.processInfo.environment[withoutNetworks].map { !$0.isEmpty } ?? false
    }

    /// The variable that tells a worker to read by Tesseract alone.
    private static let withoutNetworks = "TABLESIGHT_WITHOUT_MODELS"

    private static func networks(models: ModelFolder) -> WorkerPart {
        var part = WorkerPart(
            name: "text networks", version: nil,
            cost: "Tesseract reads text alone: more words misread, bent and small lines most of all",
            remedy: "scripts/fetch-models", isNeeded: false)
        if isToldToGoWithoutNetworks {
            part.cost += " (\(withoutNetworks) is set)"
        } else {
            part.version = try? NetworkTextRecognizer(models: models).engineVersion
        }
        return part
    }
}
