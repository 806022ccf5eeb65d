import Core

/// The file format of a profile in `models/profiles`.
struct ProfileFile: Sendable, Codable {
    static let schema = "tablesight.profile/1"

    var schema, version, source, licence, name, regime: String
    var allergens: [Allergen: AllergenProfile.Sensitivity]

    fileprivate static func load(named name: String, from models: ModelFolder) throws -> AllergenProfile {
        let known = try models.names(in: "profiles", withExtension: "json").map { String($0.dropLast(5)) }
        guard known.contains(name) else {
            throw StartupError(
                .configuration, "no profile named \(name); there are: \(known.joined(separator: ", "))")
        }
        let path = "profiles/\(name).json"
        let file = try models.load(ProfileFile.self, from: path)
        guard file.schema == schema else {
            throw StartupError(.configuration, "\(path): schema is \(file.schema), expected \(schema)")
        }
        guard file.name == name, !file.allergens.isEmpty else {
            throw StartupError(.configuration, "\(path): name must be \(name), and allergens must not be empty")
        }
        return AllergenProfile(name: file.name, regime: file.regime, allergens: file.allergens)
    }
}

extension AllergenProfile {
    /// A profile that comes with the program: `everyone`.
    /// - Throws: ``StartupError`` that lists the profiles there are, or names what is wrong with the file.
    public static func shipped(named name: String, in models: ModelFolder) throws -> AllergenProfile {
        try ProfileFile.load(named: name, from: models)
    }
}
