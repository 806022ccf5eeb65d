/// The CLDR plural category of a whole number, for the languages of `models/wording`.
enum PluralCategory: String {
    case one, few, many, other

    /// - Parameters:
    ///   - number: 0 or more.
    ///   - language: BCP 47; an unlisted language uses the English rule.
    init(of number: Int, in language: String) {
        let (tens, ones) = (number / 10 % 10, number % 10)
        switch language {
        case "cs": self = number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case "pl":
            self = number == 1 ? .one : (2...4).contains(ones) && tens != 1 ? .few : .many
        case "fr", "pt": self = number < 2 ? .one : .other
        default: self = number == 1 ? .one : .other
        }
    }
}
