/// A script that is recognised as such and not read. The raw values are ISO 15924 codes.
public enum PrintScript: String, Sendable, Hashable, Codable, CaseIterable {
    case arabic = "Arab"
    case chinese = "Hani"
    case cyrillic = "Cyrl"
    case devanagari = "Deva"
    case greek = "Grek"
    case hebrew = "Hebr"
    case japanese = "Jpan"
    case korean = "Kore"
    case thai = "Thai"
}
