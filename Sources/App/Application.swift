import Allergens
import Baskets
import Catalogue
import Core
import Foundation
import Games
import Groceries
import HTTP
import Household
import Kinds
import Presentation
import Risk
import Store

/// What the app needs of the daemon that serves it.
package struct DaemonParts: Sendable {
    package var store: OutcomeStore
    package var models: ModelFolder
    package var catalogue: Catalogue
    package var allergens: AllergenInterpreter
    package var wordings: Wordings
    package var risk: RiskInterpreter
    /// Reads the models when it is first called.
    package var interpreter: @Sendable () throws -> Interpreter
    package var household: HouseholdService
    package var photos: any PhotoFolder
    package var judged: any JudgedPhotos
    package var tables: any GameTables
    package var figures: DaemonFigures
    package var progress: StageProgress
    /// The address that phones use, and the certificate that they trust.
    package var access: DeviceAccess
    /// The picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    package var productPicture: @Sendable (_ address: String) async -> Data?
    /// Routes for other programs than the app.
    package var others: [Route]

    package init(
        store: OutcomeStore, models: ModelFolder, catalogue: Catalogue, allergens: AllergenInterpreter,
        wordings: Wordings, risk: RiskInterpreter, interpreter: @escaping @Sendable () throws -> Interpreter,
        household: HouseholdService, photos: any PhotoFolder, judged: any JudgedPhotos, tables: any GameTables,
        figures: DaemonFigures, progress: StageProgress, access: DeviceAccess,
        productPicture: @escaping @Sendable (_ address: String) async -> Data?,
        others: [Route] = []
    ) {
        self.store = store
        self.models = models
        self.catalogue = catalogue
        self.allergens = allergens
        self.wordings = wordings
        self.risk = risk
        self.interpreter = interpreter
        self.household = household
        self.photos = photos
        self.judged = judged
        self.tables = tables
        self.figures = figures
        self.progress = progress
        self.access = access
        self.productPicture = productPicture
        self.others = others
    }
}

/// The application: what a member of the household can do, as pages and as JSON. Each feature has its folder.
package struct Application {
    package let routes: [Route]
    package let old: [any APIRoutes]
    private let pages: WebRoutes

    /// - Throws: ``StartupError`` that names a missing or wrong file below `models`.
    package init(_ parts: DaemonParts) throws {
        let store = parts.store
        let shell = try PageShell(models: parts.models, wordings: parts.wordings)
        let photos = PhotoUseCases(store, folder: parts.photos, judged: parts.judged)
        let reviews = ReviewUseCases(store, photos: photos, judged: parts.judged)
        let shopping = ShoppingUseCases(
            Groceries(store, rules: try parts.models.load(GroceryRules.self, from: "groceries/rules.json")),
            catalogue: parts.catalogue, picture: parts.productPicture)
        let shoppingPages = ShoppingPages(
            cases: shopping, shell: shell, photos: photos, judged: parts.judged,
            verdicts: ProductVerdicts(store, interpreter: parts.interpreter))
        let people = PeopleService(
            store, models: parts.models, allergens: parts.allergens, wordings: parts.wordings, judged: parts.judged)
        let source = PageSource(
            store: store, judged: parts.judged, allergens: parts.allergens, history: photos)
        let diary = DiaryUseCases(store, catalogue: parts.catalogue)
        pages = try WebRoutes(
            source, images: parts.photos, people: people, household: parts.household,
            models: parts.models, wordings: parts.wordings, access: parts.access)
        old = [PeopleRoutes(people), HouseholdRoutes(parts.household), EndedRoutes(), pages]
        let status = StatusUseCases(store, figures: parts.figures)
        let play = PlayUseCases(store, models: parts.models, tables: parts.tables)
        let products = ProductUseCases(parts.catalogue, risk: parts.risk)
        let photoPages = PhotoPages(
            cases: photos, reviews: reviews, household: parts.household, shell: shell, release: parts.risk.release,
            access: parts.access)
        let routes =
            shell.routes + StatusAPI(cases: status).routes + StatusPages(cases: status, shell: shell).routes
            + PhotoAPI(cases: photos).routes + EventAPI(cases: photos, progress: parts.progress).routes
            + ReviewAPI(cases: reviews).routes + photoPages.routes
            + ReviewPages(cases: reviews, photos: photos, shell: shell).routes
            + ProductAPI(cases: products).routes
            + DiaryAPI(cases: diary).routes
            + DiaryPages(cases: diary, shell: shell, photos: photos).routes
            + ShoppingAPI(cases: shopping).routes + shoppingPages.routes
            + PlayAPI(cases: play).routes + PlayPages(cases: play, shell: shell).routes
            + parts.others
        self.routes = try routes + APIDescription.routes(describing: routes)
    }

    /// Adds the pages that the server shows by itself: sign-in and refusal.
    package func addPages(to settings: inout APISettings) {
        settings.signInPage = { [pages] in pages.signInPage($0) }
        settings.signedInPage = { [pages] in pages.signedInPage($0, token: $1) }
        settings.refusalPage = { [pages] in try await pages.refusalPage($0, $1) }
    }
}
