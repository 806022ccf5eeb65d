import Core
import Foundation
import HTTP
import Household
import Kinds
import Store
import Synchronization

/// Reads the codes that a browser holds before its camera, and decides which number is sure enough to be said.
///
/// A wrong number is worse than none: one picture suffices only where the decoders agree on it, otherwise the picture before
/// must show the same number.
final class LiveScan: Sendable {
    private let interpreter: @Sendable () throws -> Interpreter
    private let read: @Sendable (Data) async throws -> Readings
    /// Devices whose picture is being read.
    private let busy = Mutex<Set<Identity.Holder>>([])

    /// Least probabilities of a number that one picture shows, and of one that two show.
    private static let (sureAlone, sureTogether) = (0.99, 0.85)

    init(
        interpreter: @escaping @Sendable () throws -> Interpreter,
        read: @escaping @Sendable (Data) async throws -> Readings
    ) {
        (self.interpreter, self.read) = (interpreter, read)
    }

    /// - Parameter before: the number that the picture before showed.
    /// - Throws: ``PlayProblem/badPicture(_:)``, ``PlayProblem/busy`` while the device's picture before is read.
    func code(on picture: Data, before: GTIN?, from holder: Identity.Holder) async throws -> SeenCode {
        guard busy.withLock({ $0.insert(holder).inserted }) else { throw PlayProblem.busy }
        defer { busy.withLock { _ = $0.remove(holder) } }
        return Self.code(of: try interpreter().products(on: try await read(picture)), before: before)
    }

    /// - Parameter products: one for each number that the picture may show.
    static func code(of products: [Product], before: GTIN?) -> SeenCode {
        // Of two numbers nobody knows which one is meant, or the bars are in doubt.
        guard products.count == 1, let number = GTIN(products[0].gtin) else { return SeenCode() }
        let sure = products[0].agreement?.confidence ?? 0
        return SeenCode(
            gtin: number.digits, isSure: sure >= sureAlone || (sure >= sureTogether && number == before))
    }
}

/// What one picture shows.
struct SeenCode: Codable, Sendable, Hashable, Documented {
    /// Nil where it shows no product number, or several.
    var gtin: String?
    var isSure = false

    static let about: String? = "The product number that a picture shows."
    static let fields = ["isSure": Field("False: send the next picture with `before`.")]
}

/// Live scanning, as JSON and as pages.
struct LiveScanRoutes {
    let scan: LiveScan
    let verdicts: ProductVerdicts
    let judged: any JudgedPhotos
    let shell: PageShell

    /// A picture of 1,280 pixels has about 200 KB.
    private static let mostBytes = 4 << 20

    private struct Query: Decodable, Documented {
        var before: String?

        static let fields = ["before": Field("The number that the picture before showed.", lengths: 0...14)]
    }

    var routes: [Route] {
        [
            Route(
                .post, "v1/codes", for: .guest, "Reads the product number on a picture of a camera; nothing is stored",
                query: Query.self, gives: [200: "What it shows."],
                refuses: [
                    413: "The picture is too large.", 422: "The bytes are no picture.",
                    429: "The picture before is still read.",
                ]
            ) { call, query in
                try await scan.code(
                    on: try await call.request.bytes(upTo: Self.mostBytes),
                    before: query.before.flatMap { GTIN(typed: $0) },
                    from: try call.identity.holder)
            }.taking(body: [("image/jpeg", Schema(type: "string", contentMediaType: "image/jpeg"))]),
            shell.page(.get, "scan/\(.gtin)", for: .guest, in: .scan) { visit in
                let product = try await verdicts.product(try visit.call[.gtin], for: judged.people)
                return try visit.show(
                    FoundPage(
                        product, for: judged.people, isAdult: visit.viewer.map { $0.role >= .adult } ?? false,
                        visit.language))
            },
        ]
    }
}

/// The product of a scanned number: who must avoid it, and what to do with it.
struct FoundPage: Page {
    static let template = "found"
    static let styles = ["scan"]
    static let scripts = ["label"]

    let heading, number: String
    let brand: String?
    let chips: [ListChip]
    /// True where no catalogue and no photo knows it.
    let isUnknown: Bool
    /// True for whoever may add it to a list and log it.
    let hasActions: Bool

    init(_ product: Product, for people: [AllergenProfile], isAdult: Bool, _ language: PageLanguage) {
        number = String(product.gtin.drop { $0 == "0" })
        heading = product.name ?? number
        brand = product.brand
        isUnknown = product.name == nil
        chips = ListChips(verdicts: [:], shared: SharedVerdicts(household: people, language: language))
            .all(product.verdicts, hasNumber: true)
        hasActions = isAdult
    }
}
