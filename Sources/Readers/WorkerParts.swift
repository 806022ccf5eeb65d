import BarcodeRecognition
import TextRecognition
import Vocabulary

/// What the worker is linked with and what it finds, for `tablesight doctor`.
public enum WorkerParts {
    /// Starts each engine once, so that a part that is there and broken is missing too.
    public static func all(models: ModelFolder) -> [WorkerPart] {
        let languages = ["eng": "English", "deu": "German"]
        var parts = [
            WorkerPart(
                name: "zbar", version: ZBarReader.version, cost: "no barcode is read", remedy: "scripts/setup",
                isNeeded: true)
        ]
        let engine = try? TesseractRecognizer(models: models)
        parts.append(
            WorkerPart(
                name: "tesseract", version: engine?.engineVersion, cost: "no text is read, so no menu and no label",
                remedy: "scripts/setup", isNeeded: true))
        for (code, name) in languages.sorted(by: { $0.key < $1.key }) {
            let recognizer = try? TesseractRecognizer(languages: [code], models: models)
            parts.append(
                WorkerPart(
                    name: "tesseract, \(name)", version: recognizer.map { _ in "installed" },
                    cost: "\(name) menus and labels are read badly or not at all",
                    remedy: "sudo apt-get install tesseract-ocr-\(code)", isNeeded: false))
        }
        return parts
    }
}
