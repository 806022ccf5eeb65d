import Groceries
import HTTP

/// What people type in the forms of shops and prices.
extension FormBody {
    /// A shop with what is known of its address.
    func place(_ name: String) -> NewPlace {
        NewPlace(name: self[name], address: text("address"), city: text("city"), postcode: text("postcode"))
    }

    /// The photo whose prices are shown; nil for those of all photos.
    var photo: String? { self["photo"].wholeMatch(of: /sha256:[0-9a-f]{64}/) == nil ? nil : self["photo"] }
}
