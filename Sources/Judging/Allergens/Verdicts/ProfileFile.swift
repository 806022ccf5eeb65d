import Core

/// The file format of a profile in `models/profiles`.
struct ProfileFile: DataFile {
    static let schema = "tablesight.profile/1"

    var name, regime: String
    var allergens: [Allergen: AllergenProfile.Sensitivity]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(self.name == name, "name", "\(self.name) differs from the file's name")
        try DataFileProblem.check(!allergens.isEmpty, "allergens", "empty")
    }

    fileprivate static func load(named name: String, from models: ModelFolder) throws -> AllergenProfile {
        let known = try models.names(in: "profiles", withExtension: "json").map { String($0.dropLast(5)) }
        guard known.contains(name) else {
            throw StartupError(
                .configuration, "no profile named \(name); there are: \(known.joined(separator: ", "))")
        }
        let file = try models.load(ProfileFile.self, from: "profiles/\(name).json")
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
