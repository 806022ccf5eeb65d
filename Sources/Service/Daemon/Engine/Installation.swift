import Catalogue
import Foundation
import Interpretation
import Core

/// The parts that every command needs, found from where the program lies.
public struct Installation: Sendable {
    public let models: ModelFolder
    public let interpreter: Interpreter
    public let worker: WorkerProgram
    /// The imported products.
    public let catalogue: Catalogue

    /// Finds the models and the worker, loads and checks all data files.
    ///
    /// - Parameter withoutModels: workers read text by Tesseract alone, also where the networks are there.
    /// - Throws: ``StartupError`` that says what is missing and what to do.
    public init(withoutModels: Bool = false) throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        models = try ModelFolder.locate(program: program)
        catalogue = Catalogue(folder: Catalogue.usualFolder())
        interpreter = try Self.interpreter(models)
        var environment = ProcessInfo.processInfo.environment
        if withoutModels { environment["TABLESIGHT_WITHOUT_MODELS"] = "1" }
        worker = try WorkerProgram(beside: program, models: models, environment: environment)
    }

    /// What every command judges with: the lexicons of `models`, and the imported products.
    public static func interpreter(_ models: ModelFolder) throws -> Interpreter {
        let catalogue = Catalogue(folder: Catalogue.usualFolder())
        return try Interpreter(models: models, products: try ImportedProducts(catalogue: catalogue, models: models))
    }

    /// A processor with this many workers.
    public func processor(workers: Int) -> PhotoProcessor {
        PhotoProcessor(
            interpreter: interpreter, workers: WorkerPool(size: workers, program: worker),
            processorSeconds: WorkerLimits().processorSeconds)
    }
}

extension Installation {
    /// - Throws: ``StartupError`` (66) that lists the sets there are, where this one is not among them.
    public func requirePieceSet(_ name: String) throws {
        let names = try models.names(in: "piece-sets", withExtension: "json").map { String($0.dropLast(5)) }
        guard names.contains(name) else {
            throw StartupError(.noInput, "no piece set \(name): there are \(names.joined(separator: ", "))")
        }
    }
}
