import Diary
import HTTP
import Foods

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
