import Allergens
import Foods
import Catalogue
import Core
import Diary
import Foundation
import Kinds
import Groceries
import HTTP
import Household
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
    package var household: HouseholdUseCases
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
        household: HouseholdUseCases, photos: any PhotoFolder, judged: any JudgedPhotos, tables: any GameTables,
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
    private let play: PlayUseCases
    private let photos: PhotoUseCases
    private let householdRoutes: HouseholdRoutes

    /// - Throws: ``StartupError`` that names a missing or wrong file below `models`.
    package init(_ parts: DaemonParts) throws {
        let store = parts.store
        let shell = try PageShell(models: parts.models, wordings: parts.wordings)
        let rules = try parts.models.load(GroceryRules.self, from: "groceries/rules.json")

        // What a member can do.
        let people = PeopleUseCases(
            parts.household, store: store, erasure: MemberErasure(store, rules: rules), allergens: parts.allergens,
            wordings: parts.wordings, judged: parts.judged)
        let photos = PhotoUseCases(store, folder: parts.photos, judged: parts.judged)
        let reviews = ReviewUseCases(store, photos: photos, judged: parts.judged)
        let products = ProductUseCases(parts.catalogue, risk: parts.risk)
        let verdicts = ProductVerdicts(store, interpreter: parts.interpreter)
        let diary = DiaryActions(store, catalogue: parts.catalogue)
        let shopping = ShoppingUseCases(
            Groceries(store, rules: rules), catalogue: parts.catalogue,
            foods: try parts.models.load(FoodWords.self, from: "groceries/foods.json"), picture: parts.productPicture)
        let play = PlayUseCases(store, models: parts.models, tables: parts.tables)
        let status = StatusUseCases(store, figures: parts.figures)
        (self.play, self.photos) = (play, photos)

        // The same as JSON and as pages.
        householdRoutes = try HouseholdRoutes(
            cases: parts.household, people: people, photos: parts.photos, access: parts.access, models: parts.models,
            shell: shell)
        let photoRoutes = PhotoRoutes(
            cases: photos, reviews: reviews, people: people, products: products, shell: shell,
            release: parts.risk.release,
            access: parts.access)
        let shoppingRoutes = ShoppingRoutes(
            cases: shopping, shell: shell, photos: photos, judged: parts.judged, verdicts: verdicts)
        let features: [[Route]] = [
            shell.routes, householdRoutes.routes, photoRoutes.routes,
            EventRoutes(cases: photos, progress: parts.progress).routes,
            ReviewRoutes(cases: reviews, photos: photos, shell: shell).routes, ProductRoutes(cases: products).routes,
            DiaryRoutes(cases: diary, shell: shell, photos: photos).routes,
            shoppingRoutes.routes, PlayRoutes(cases: play, shell: shell).routes,
            StatusRoutes(cases: status, shell: shell).routes,
            parts.others,
        ]
        let routes = features.flatMap(\.self)
        self.routes = routes + APIDescription.routes(describing: routes)
    }

    /// Plays a stored photo as a picture of a member's table.
    ///
    /// - Returns: false if nobody of this name plays.
    package func play(_ photo: String, of member: String) async throws -> Bool {
        try await play.take(try await photos.picture(photo, side: .page), ofMember: member) != nil
    }

    /// Adds the pages that the server shows by itself: sign-in and refusal.
    package func addPages(to settings: inout APISettings) {
        settings.signInPage = { [pages = householdRoutes] in try pages.signInPage($0) }
        settings.signedInPage = { [pages = householdRoutes] in try pages.signedInPage($0, token: $1) }
        settings.unknownPage = { [pages = householdRoutes] in try await pages.unknownPage($0) }
        settings.refusalPage = { [pages = householdRoutes] in try await pages.refusalPage($0) }
    }
}
