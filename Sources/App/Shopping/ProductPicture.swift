import Core
import Household

struct ProductPicture {
    let overlay: PhotoOverlay

    /// The packet on a photo: everything that is printed around its barcode. With other barcodes on the photo nobody knows
    /// which print belongs to which, and the picture is the product's own code with what is around it.
    ///
    /// - Parameter gtin: 14 digits.
    /// - Returns: nil for a photo without the product's barcode.
    init?(of gtin: String, on outcome: Outcome) {
        guard let id = outcome.id, let width = outcome.source.width, let height = outcome.source.height,
            let number = GTIN(gtin)
        else { return nil }
        let codes = (outcome.readings.barcodes ?? []).filter { $0.gtin != nil }
        let own = codes.filter { $0.gtin.flatMap { GTIN($0) } == number }.flatMap(\.corners)
        guard let code = Quad(around: own.map { Quad(x: $0.x, y: $0.y, width: 0, height: 0) }) else { return nil }
        let isAlone = codes.allSatisfy { $0.gtin.flatMap { GTIN($0) } == number }
        let print = isAlone ? (outcome.readings.text?.lines ?? []).map(\.box) : []
        let packet = print.isEmpty ? code.grown(by: 1) : Quad(around: print + [code]) ?? code
        overlay = PhotoOverlay(
            of: "/v1/outcomes/\(id)/image", width: width, height: height, quarters: outcome.quarterTurns,
            around: packet, [])
    }
}

extension Quad {
    /// The upright rectangle with as much again on each side, as a share of its own sides.
    fileprivate func grown(by share: Double) -> Quad {
        let (across, down) = (width * share, height * share)
        return Quad(x: minX - across, y: minY - down, width: width + 2 * across, height: height + 2 * down)
    }
}
