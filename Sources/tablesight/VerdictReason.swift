/// Why a verdict is what it is, in words for people.
enum VerdictReason {
    private static let table = [
        "noDeclaration": "nothing there declares allergens", "nothingRead": "nothing was read",
        "unreadRegion": "a part of the print was not read",
        "languageNotSupported": "the language is not known well enough",
        "noIngredientList": "there is no list of ingredients", "lowReadingQuality": "too much was misread",
        "unknownIngredients": "too many ingredients are not known", "listCutOff": "the end of the list is not there",
        "unclearWord": "a word that is not clear may name it", "optionOnly": "it is named as an option only",
        "photoIncomplete": "a part of the photo is missing", "wordNotFound": "nobody has to declare it",
        "crowdRecord": "the record is crowd-sourced: what it leaves out means nothing",
        "codesDisagree": "bars and printed digits say different numbers",
        "uncertainCode": "the barcode was read poorly",
        "notInCatalogue": "no catalogue has the product",
        "restrictedPrefix": "a number of a shop or company, which names no product elsewhere",
        "remoteUnavailable": "no catalogue here has it, and the server did not answer",
        "review": "a person said so",
        "crossContact": "the kitchen warns of cross-contact", "unresolvedCodes": "codes on the page are not explained",
        "layoutUnsure": "it is not certain which words belong together",
    ]

    /// Nil for a reason that needs no words.
    static func words(_ key: String) -> String? { table[key] }
}
