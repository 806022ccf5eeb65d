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

/// The application: what a member of the household can do, as pages and as JSON. Each feature has its folder.
package struct Application {
    package let routes: [Route]
    private let play: PlayActions
    private let undos: Undos
    private let photos: PhotoActions
    private let householdRoutes: HouseholdRoutes

    /// - Parameters:
    ///   - interpreter: reads the models when it is first called.
    ///   - codes: what the decoders read on a picture of a browser's camera.
    ///   - access: the address that phones use, and the certificate that they trust.
    ///   - productPicture: the picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    ///   - others: routes for other programs than the app.
    package init(
        store: OutcomeStore, models: ModelFolder, catalogue: Catalogue, allergens: AllergenInterpreter,
        wordings: Wordings, risk: RiskInterpreter, interpreter: @escaping @Sendable () throws -> Interpreter,
        household: HouseholdActions, photos folder: any PhotoFolder,
        codes: @escaping @Sendable (Data) async throws -> Readings, judged: any JudgedPhotos,
        games: GameCatalogue, tables: any GameTables, figures: DaemonFigures, progress: StageProgress,
        access: DeviceAccess,
        productPicture: @escaping @Sendable (_ address: String) async -> Data?, others: [Route]
    ) throws {
        let rules = try models.load(GroceryRules.self, from: "groceries/rules.json")

        // What a member can do.
        let people = PeopleActions(
            household, data: [Diary(store), Groceries(store, rules: rules)], allergens: { allergens },
            languages: { wordings.languages }, judged: judged)
        let photos = PhotoActions(store, folder: folder, judged: judged)
        let reviews = ReviewActions(store, judged: judged)
        let products = ProductUseCases(catalogue, risk: risk)
        let verdicts = ProductVerdicts(store, interpreter: interpreter)
        let diary = DiaryActions(store, catalogue: catalogue)
        let groceries = GroceryActions(
            Groceries(store, rules: rules), catalogue: catalogue,
            foods: try FoodWords(models: models))
        let play = PlayActions(store, games: games, tables: tables, locks: household)
        let status = StatusUseCases(store, figures: figures)
        (self.play, self.photos) = (play, photos)
        let undos = Undos(
            store,
            carryOut: { deletion in
                switch deletion.kind {
                case .photo: _ = try await photos.delete(deletion.id)
                case .list:
                    guard let list = Int64(deletion.id) else { return }
                    try await groceries { try $0.removeList(list, by: deletion.person) }
                case .member: _ = try await people.remove(deletion.person)
                case .diary: try await diary.removeDiary(of: deletion.id)
                }
            })
        self.undos = undos
        let shell = try PageShell(models: models, wordings: wordings, games: games.own, undos: undos)

        // The same as JSON and as pages.
        householdRoutes = try HouseholdRoutes(
            actions: household, people: people, photos: folder, access: access, models: models,
            wordings: wordings, shell: shell)
        let photoRoutes = PhotoRoutes(
            cases: photos, reviews: reviews, people: people, products: products, shell: shell,
            release: risk.release,
            access: access)
        let shoppingRoutes = ShoppingRoutes(
            actions: groceries, picture: productPicture, shell: shell, photos: photos, judged: judged,
            verdicts: verdicts)
        let features: [[Route]] = [
            shell.routes, householdRoutes.routes, photoRoutes.routes,
            LiveScanRoutes(
                scan: LiveScan(interpreter: interpreter, read: codes), verdicts: verdicts, judged: judged, shell: shell
            ).routes,
            EventRoutes(cases: photos, progress: progress).routes,
            ReviewRoutes(cases: reviews, photos: photos, shell: shell).routes, ProductRoutes(cases: products).routes,
            DiaryRoutes(cases: diary, shell: shell, photos: photos, reviews: reviews).routes,
            shoppingRoutes.routes, PlayRoutes(cases: play, shell: shell).routes,
            StatusRoutes(cases: status, shell: shell).routes,
            others,
        ]
        let routes = features.flatMap(\.self)
        self.routes = routes + APIDescription.routes(describing: routes)
    }

    /// Carries out what was deleted before the daemon stopped, and not taken back.
    package func finishDeletions() async throws { try await undos.finish() }

    /// Plays a stored photo as a picture of a member's table.
    ///
    /// - Returns: false if nobody of this name plays.
    package func play(_ photo: String, of member: String) async throws -> Bool {
        try await play.take(try await photos.picture(photo, side: PictureSide.page.rawValue), ofMember: member)
    }

    /// Adds the pages that the server shows by itself: sign-in and refusal.
    package func addPages(to settings: inout APISettings) {
        settings.signInPage = { [pages = householdRoutes] in try pages.signInPage($0) }
        settings.signedInPage = { [pages = householdRoutes] in try pages.signedInPage($0, token: $1) }
        settings.unknownPage = { [pages = householdRoutes] in try await pages.unknownPage($0) }
        settings.refusalPage = { [pages = householdRoutes] in try await pages.refusalPage($0) }
    }
}
