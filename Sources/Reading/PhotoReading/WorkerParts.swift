import BarcodeRecognition
import Foundation
import TextRecognition
import Core
public import ReadJobs

/// Lists the libraries and data of the worker for `tablesight doctor`.
public enum WorkerParts {
    /// Starts each engine once, so that an installed but broken part is reported as missing.
    public static func all(models: ModelFolder) -> [WorkerPart] {
        var parts = [
            WorkerPart(
                name: "zbar", version: BarcodeDecodeAttempts.zbarVersion, cost: "no barcode is read",
                remedy: "scripts/setup",
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
        for language in (try? PrintLanguageList(models: models).missingWordLists) ?? [] {
            let name = Locale(identifier: "en").localizedString(forLanguageCode: language.code) ?? language.code
            parts.append(
                WorkerPart(
                    name: "word list, \(name)", version: nil,
                    cost:
                        "misread words in \(name) are not mended: no \(language.files.joined(separator: ", ")) in /usr/share/dict",
                    remedy: "scripts/setup", isNeeded: false))
        }
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

    /// A key of the installed networks, languages, tables and decoders, computed from file names, sizes and the weights
    /// of the networks, since variants with 7 and 8 bits have the same sizes. No engine is started.
    public static func key(models: ModelFolder, tessdata: URL? = nil) -> String {
        let prefix = ProcessInfo.processInfo.environment["TESSDATA_PREFIX"].map { URL(filePath: $0) }
        let languages = tessdata ?? prefix ?? URL(filePath: "/usr/share/tesseract-ocr/5/tessdata")
        let weights = disablesNetworks ? NetworkWeights.none : NetworkWeights(models: models)
        var names = ["networks \(weights)", "zxing \(ZXingLibrary(models: models)?.version ?? "-")"]
        let folders = ["fetched", "text", "barcodes", "dice", "piece-sets"].map { models.url.appending(path: $0) }
        for folder in folders + [languages] {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for file in files.sorted() {
                let path = folder.appending(path: file).resolvingSymlinksInPath().path
                let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
                names.append("\(folder.lastPathComponent)/\(file) \(size ?? 0)")
            }
        }
        // FNV-1a, 64 bit: the same in every process.
        let hash = names.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    /// True if the environment tells this worker to read by Tesseract alone.
    static var disablesNetworks: Bool {
        ProcessInfo.processInfo.environment[withoutNetworks].map { !$0.isEmpty } ?? false
    }

    /// Name of the environment variable that disables the networks.
    private static let withoutNetworks = "TABLESIGHT_WITHOUT_MODELS"

    private static func networks(models: ModelFolder) -> WorkerPart {
        var part = WorkerPart(
            name: "text networks", version: nil,
            cost: "Tesseract reads text alone: more words misread, bent and small lines most of all",
            remedy: "scripts/fetch-models", isNeeded: false)
        if disablesNetworks {
            part.cost += " (\(withoutNetworks) is set)"
        } else {
            part.version = try? NetworkTextRecognizer(models: models).engineVersion
        }
        return part
    }
}
