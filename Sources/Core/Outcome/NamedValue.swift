/// One value of an outcome with its key.
public struct NamedValue: Sendable, Hashable {
    /// `total`, `item`, `unitPrice`, …: the key of its texts too.
    public var name: String
    public var value: ReadValue

    public init(_ name: String, _ value: ReadValue) {
        self.name = name
        self.value = value
    }

    /// The values that were read, in the given order.
    public static func list(_ values: KeyValuePairs<String, ReadValue?>) -> [NamedValue] {
        values.compactMap { name, value in value.map { NamedValue(name, $0) } }
    }
}

extension Receipt {
    /// All values, in the order in which receipts print them.
    public var values: [NamedValue] {
        let lines = items.flatMap { item in
            NamedValue.list([
                "item": item.name, "quantity": item.quantity, "itemPrice": item.unitPrice, "amount": item.amount,
            ])
        }
        return NamedValue.list(["merchant": merchant, "address": address, "date": date, "time": time]) + lines
            + NamedValue.list(["subtotal": subtotal]) + tax.map { NamedValue("tax", $0) }
            + NamedValue.list(["total": total, "payment": payment])
    }
}

extension Outcome {
    /// All price tags of the photo, in the order of the shelf.
    public var allPriceTags: [PriceTag] { priceTags ?? [priceTag].compactMap(\.self) }
}

extension PriceTag {
    /// All values but the currency, which has no place of its own.
    public var values: [NamedValue] {
        NamedValue.list([
            "product": product, "brand": brand, "price": price, "wasPrice": wasPrice, "unitPrice": unitPrice,
            "gtin": gtin, "promotion": promotion,
        ])
    }
}

extension Nutrition {
    /// The values of all columns, one column after the other.
    public var values: [NamedValue] {
        basis.flatMap { column in
            NamedValue.list([
                "servingSize": column.servingSize, "energyKJ": column.energyKJ, "energyKcal": column.energyKcal,
                "fat": column.fat, "saturatedFat": column.saturatedFat, "carbohydrate": column.carbohydrate,
                "sugars": column.sugars, "polyols": column.polyols, "fibre": column.fibre,
                "protein": column.protein, "salt": column.salt, "sodium": column.sodium,
            ])
        }
    }
}
