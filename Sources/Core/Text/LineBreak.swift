/// Hyphens at the end of a line.
public enum LineBreak {
    /// The place of the word behind a hyphen at a line end; nil if the place holds no such hyphen.
    public static func end(of place: Int, in text: [Unicode.Scalar]) -> Int? {
        guard Folding.isHyphen(text[place]) || text[place] == "¬", place > 0, Folding.isWordPart(text[place - 1]) else {
            return nil
        }
        var end = place + 1
        var isLineEnd = false
        while end < text.count, Folding.isSpace(text[end]) {
            isLineEnd = isLineEnd || Folding.isNewline(text[end])
            end += 1
        }
        return isLineEnd && end < text.count && Folding.isWordPart(text[end]) ? end : nil
    }

    /// True for "Wei-" before "zenmehl"; false for "Soja-" before "Lecithin", where the hyphen stays. One small letter among
    /// capitals is a misread capital: "WEl-" before "ZENMEHL".
    public static func breaksWord(at place: Int, before end: Int, in text: [Unicode.Scalar]) -> Bool {
        let next = text[end].properties
        guard next.isUppercase else { return next.isLowercase }
        let last = text[..<place].reversed().prefix { Folding.isWordPart($0) }.prefix(3)
        return last.first?.properties.isUppercase == true
            || last.count > 1
                && last.dropFirst().allSatisfy(\.properties.isUppercase) && last.count == 3
    }
}
