import Diary
import Foods
import Groceries
import Household
import HTTP
import Store

/// What the pages and the API make of each refusal.
extension DiaryProblem: AppError {
    package var problem: Problem {
        switch self {
        case .closed:
            Problem(404, "noDiary", "there is no such diary for this device: PUT /v1/session says who uses it")
        case .readOnly(let owner):
            Problem(403, "readOnly", "\(owner) lets you read this diary, but not change it")
        case .noDiary: Problem(404, "noDiary", "this diary was deleted")
        case .noReader:
            Problem(409, "noReader", "only members of the household can read a diary: add the person first")
        case .noEntry: Problem(404, "notFound", "no such entry: it may have been removed")
        case .entryExists: Problem(409, "conflict", "there is an entry with this id: change it with PUT")
        case .badEntry(let detail), .badGoal(let detail), .badWeight(let detail): Problem(400, "badRequest", detail)
        case .portion(let refusal): Problem(422, refusal.code.rawValue, refusal.detail)
        case .nothingToReuse(let meal):
            Problem(404, "notFound", "there is no earlier \(meal.rawValue) to log again")
        case .badDays(let most): Problem(400, "badRequest", "to must be at most \(most) days after from")
        case .noFood(let text): Problem(404, "notFound", "no food has the words “\(text.prefix(60))”")
        case .badNumber(let text):
            Problem(400, "badRequest", "\(text.prefix(30)) is not a product number with a valid check digit")
        case .noRecord(let gtin):
            Problem(404, "noRecord", "no record of \(gtin.normalised) states its energy: use quick")
        case .noOutcome:
            Problem(404, "notFound", "no outcome for this image: POST /v1/images, then wait for its outcome")
        case .unread(let what, _): Problem(422, what.rawValue, what.detail)
        case .noGoal(let person): Problem(404, "noGoal", "\(person) has set no goal")
        case .badZone(let zone):
            Problem(400, "badRequest", "no time zone “\(zone.prefix(60))”: use a name such as Europe/Berlin")
        case .noAnswer:
            Problem(400, "badRequest", "answer all three questions: weight, height, birth year, sex and activity")
        case .noProposal(let refusal): Problem(400, "noProposal", refusal.detail)
        case .badFile(let detail, let isArchive): Problem(400, isArchive ? "archive" : "badFile", detail)
        }
    }
}

extension DiaryProblem.Unread {
    fileprivate var detail: String {
        switch self {
        case .contradicted: "the figures of the nutrition table contradict each other: send the food with its figures"
        case .incomplete: "the energy of the nutrition table was not read: send the food with its figures"
        case .unreadable: "could not read a barcode or a nutrition table: use more light, or type it"
        }
    }
}

extension GoalProposal.Refusal {
    fileprivate var detail: String {
        switch self {
        case .young: "no goal is proposed for people under 18: ask a doctor, and type one if they agree"
        case .underweight:
            "no goal to lose weight is proposed: the weight is, or would be, low for this height "
                + "(body mass index below 18.5); ask a doctor"
        case .noFigure: "the formula gives no goal for this body: type one"
        }
    }
}

/// What the pages and the API make of each refusal.
extension HouseholdProblem: AppError {
    package var problem: Problem {
        switch self {
        case .unknown(let name, _):
            Problem(404, "notFound", "no \(name.printable) in this household: GET /v1/members lists them")
        case .noDevice: Problem(404, "notFound", "no such device: GET /v1/devices lists them")
        case .taken(let name): Problem(409, "conflict", "\(name.printable) is in this household already")
        case .bad(let detail): Problem(400, "badRequest", detail)
        case .noAllergen(let name, let regime):
            Problem(400, "badRequest", "\(name.printable) is not in the regime \(regime.name)")
        case .noLanguage(let name, _): Problem(400, "badRequest", "no texts in the language \(name.printable)")
        case .inSettings(let name):
            Problem(
                409, "conflict", "\(name) is a file of the setting profiles: remove it there, then restart the daemon")
        case .badPIN(let detail): Problem(400, "badPIN", detail)
        case .refused: Problem(403, "wrongPIN", "this is not the PIN")
        case .tooMany(let seconds): Problem(429, "tooMany", "too many wrong PINs: wait", retryAfter: seconds)
        case .notAsked: Problem(404, "notFound", "nobody asked for the removal of this PIN")
        case .notAsker(let owner):
            Problem(403, "forbidden", "only \(owner.printable), or who asked, takes it back")
        case .unavailable: Problem(503, "notReady", "there is not enough memory to check a PIN: try again")
        }
    }
}

extension HouseholdActions: APIIdentities {}

/// What the pages and the API make of each refusal.
extension PhotoProblem: AppError {
    package var problem: Problem {
        switch self {
        case .noPhoto: Problem(404, "notFound", "no such image: GET /v1/history lists them")
        case .notShown(let kind): Problem(404, "notFound", "the photo shows no such \(kind.rawValue)")
        case .tooManySaved:
            Problem(
                409, "tooManySaved",
                "you have saved \(OutcomeStore.mostSaved) items, which is the most: take one off first")
        case .notSaved: Problem(404, "notFound", "you have no saved item of this number: GET /v1/saved lists them")
        case .noNews: Problem(404, "notFound", "you have no news of this number: GET /v1/news lists them")
        case .badReview(let detail): Problem(400, "badReview", detail)
        case .noReviewed(let detail): Problem(404, "badReview", detail)
        case .badReviewer(let detail): Problem(400, "badRequest", "by is the reviewer's name: \(detail)")
        case .otherReviewer(let person):
            Problem(403, "forbidden", "this device reviews for \(person): leave `by` out")
        case .noReview:
            Problem(404, "notFound", "no review of this number is stored, so there is nothing to undo")
        case .saidBy(let name):
            Problem(
                403, "forbidden",
                "\(name.printable) said that: ask for it to be undone, or say what you think instead")
        }
    }
}

/// What the pages and the API make of each refusal.
extension GroceryProblem: AppError {
    package var problem: Problem {
        switch self {
        case .notFound, .noPhoto, .noList, .noAdult: Problem(404, "notFound", message)
        case .bad: Problem(400, "badRequest", message)
        case .changed, .own: Problem(409, "conflict", message)
        }
    }
}
