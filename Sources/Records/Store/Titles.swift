import Core

extension Outcome {
    /// The name that a person gave the packet, the name of the product, the heading or the first dishes of the menu, shop and
    /// total of the receipt, product and price of the tag, or the game; nil if the photo names nothing.
    package var title: String? {
        if let name = label?.name { return name }
        if let name = products?.compactMap(\.name).first { return name }
        if let game { return game.puzzle.map { "\(game.game), \($0)" } ?? game.game }
        if let receipt {
            return priced(receipt.merchant?.value, receipt.total?.value, receipt.currency?.sureCurrency)
        }
        if let priceTag {
            return priced(priceTag.product?.value, priceTag.price?.value, priceTag.currency?.sureCurrency)
        }
        guard menu != nil || label != nil, readings.text != nil else { return nil }
        return heading ?? menu?.sections.first?.title ?? firstDishes ?? firstIngredients
    }

    /// The name as it is printed: the largest of the first lines; nil if none of them can be one.
    package var heading: String? {
        guard let lines = readings.text?.lines else { return nil }
        let top = menu?.sections.flatMap(\.items).compactMap { $0.box?.minY }.min() ?? .infinity
        let sections = Set(menu?.sections.compactMap(\.title) ?? [])
        let heights = lines.map(Self.height).sorted()
        let usual = heights.isEmpty ? 0 : heights[(heights.count - 1) / 2]
        let heads = lines.prefix(Self.headLines).filter {
            $0.box.maxY <= top && $0.confidence >= Self.headConfidence && !sections.contains($0.text)
                && $0.text.count <= Self.headLength && $0.text.contains(where: \.isLetter)
                && (menu != nil ? Self.isHeading($0, usual) : Self.isName($0.text) && !isInTable($0))
        }
        return heads.max { Self.height($0) < Self.height($1) }?.text
    }

    /// Of the print across its direction, pixels. The box of a line that rises is higher.
    private static func height(_ line: TextLine) -> Double {
        let (top, bottom) = (line.box.topLeft, line.box.bottomLeft)
        return ((bottom.x - top.x) * (bottom.x - top.x) + (bottom.y - top.y) * (bottom.y - top.y)).squareRoot()
    }

    /// The heading of a menu: printed larger than the usual line, and no sentence. What menus say of prices, taxes, service
    /// and allergens is printed small, in any language.
    private static func isHeading(_ line: TextLine, _ usualHeight: Double) -> Bool {
        height(line) >= usualHeight * headScale && !line.text.contains { ":;%*".contains($0) }
            && !(line.text.hasSuffix(".") && line.text.split(separator: " ").count > shortName)
    }

    /// False for what says nothing of a packet: the head of a list or a table, and a part of a sentence.
    private static func isName(_ line: String) -> Bool {
        let first = line.first { $0.isLetter }
        let words = Folding.words(of: line)
        return first?.isLowercase == false && !line.contains { ",:;%()".contains($0) } && !line.hasSuffix(".")
            && words.contains { $0.count > 2 } && !words.contains(where: Self.partsOfPackets.contains)
            && words.contains { $0.count > 2 && !isOfTable($0) }
    }

    /// True for a line beside or between the values of the nutrition table.
    private func isInTable(_ line: TextLine) -> Bool {
        let boxes = (label?.nutrition?.values ?? []).filter { $0.name != "servingSize" }.compactMap(\.value.box)
        guard boxes.count > 1, let top = boxes.map(\.minY).min(), let bottom = boxes.map(\.maxY).max() else {
            return false
        }
        let middle = (line.box.minY + line.box.maxY) / 2
        return (top...bottom).contains(middle)
    }

    /// True for a folded word of a nutrition table, and for a number.
    private static func isOfTable(_ word: String) -> Bool {
        word.allSatisfy(\.isNumber) || wordsOfTables.contains(word)
    }

    /// Words of rows and heads of nutrition tables, folded. A name may have some of them, never these alone.
    private static let wordsOfTables: Set = Set(
        """
        amount approximate average avg basis calorie calories carbohydrate carbohydrates daily dietary energy fat fats fibre
        fiber from information kcal kilojoules nutrient pack package per portion protein proteins quantity salt saturated
        sodium sugar sugars total trans typical value values with

        ballaststoffe brennwert durchschnittlich durchschnittliche eiweiss energie fett gehalt kohlenhydrate naehrwert pro
        salz zucker

        energetique fibres glucides graisses lipides matieres moyenne moyennes nutritionnelles pour proteines sel sucres
        valeur valeurs

        azucares carboidrati carbohidratos energetico energia fibra gorduras grasas grassi hidratos media medi medios
        nutricional nutrizionali porcion proteinas proteine sale sodio valor valore valori valores zuccheri

        energi gizi gram gula informasi karbohidrat kalori lemak nilai per protein sajian takaran

        bang cac chat dinh dung duong gia luong nang tri thanh thong tin trong trung binh
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Heads of lists and tables on packets, folded.
    private static let partsOfPackets: Set = [
        "ingredients", "ingredient", "zutaten", "ingredienti", "ingredientes", "ingredienten", "ingredienser",
        "skladniki",
        "slozeni", "osszetevok", "nutrition", "nutritional", "nutrients", "nahrwerte", "nahrwertangaben", "allergens",
        "allergy", "allergie", "storage", "serving", "servings", "contains", "enthalt",
    ]

    private var firstIngredients: String? {
        // "Daily Value* whole grain oats", "sunflower and/or Saturated Fat 1.5g": a table before or beside the list.
        let all = (label?.ingredients ?? []).map(\.text).filter { text in
            let words = Folding.words(of: text)
            let first = words.prefix(2)
            return !(first.count == 2 && first.allSatisfy(Self.isOfTable)) && words.count <= Self.mostWords
                && !words.contains { $0.contains(where: \.isNumber) }
        }
        let names = all.prefix(Self.titleDishes)
        return names.isEmpty ? nil : names.joined(separator: ", ") + (all.count > names.count ? ", …" : "")
    }

    private var firstDishes: String? {
        let names = (menu?.sections ?? []).flatMap(\.items).map(\.name)
        guard !names.isEmpty else { return nil }
        let more = names.count - Self.titleDishes
        return names.prefix(Self.titleDishes).joined(separator: ", ") + (more > 0 ? " + \(more)" : "")
    }

    private static let titleDishes = 2
    /// Words of an ingredient in a title.
    private static let mostWords = 5

    private func priced(_ name: String?, _ price: String?, _ currency: String?) -> String? {
        let amount = price.map { [$0, currency].compactMap(\.self).joined(separator: " ") }
        let parts = [name, amount].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// A heading is one of the first lines, recognised with some confidence, and short.
    private static let headLines = 5
    private static let headConfidence = 0.6
    private static let headLength = 48
    private static let headScale = 1.2
    /// Words of a name that ends with a point, such as `Café Co.`.
    private static let shortName = 2
}
