/// Minimum-cost matching of rows and columns: Hungarian method with potentials, O(n³) (Kuhn 1955, Jonker and Volgenant
/// 1987).
enum Assignment {
    /// The column of each row; nil if matching it would cost `limit` or more.
    static func cheapest(_ costs: [[Double]], below limit: Double) -> [Int?] {
        let (rows, columns) = (costs.count, costs.first?.count ?? 0)
        guard rows > 0, columns > 0 else { return [Int?](repeating: nil, count: rows) }
        // The matrix is square, so that every row can stay unmatched at the cost of `limit`.
        let n = max(rows, columns)
        func cost(_ row: Int, _ column: Int) -> Double {
            row < rows && column < columns ? min(costs[row][column], limit) : limit
        }
        var rowPotential = [Double](repeating: 0, count: n + 1)
        var columnPotential = [Double](repeating: 0, count: n + 1)
        var rowOf = [Int](repeating: 0, count: n + 1)
        var way = [Int](repeating: 0, count: n + 1)
        for row in 1...n {
            rowOf[0] = row
            var column = 0
            var least = [Double](repeating: .infinity, count: n + 1)
            var used = [Bool](repeating: false, count: n + 1)
            repeat {
                used[column] = true
                let current = rowOf[column]
                var delta = Double.infinity
                var next = 0
                for other in 1...n where !used[other] {
                    let reduced = cost(current - 1, other - 1) - rowPotential[current] - columnPotential[other]
                    if reduced < least[other] { (least[other], way[other]) = (reduced, column) }
                    if least[other] < delta { (delta, next) = (least[other], other) }
                }
                for other in 0...n {
                    if used[other] {
                        rowPotential[rowOf[other]] += delta
                        columnPotential[other] -= delta
                    } else {
                        least[other] -= delta
                    }
                }
                column = next
            } while rowOf[column] != 0
            repeat {
                let previous = way[column]
                rowOf[column] = rowOf[previous]
                column = previous
            } while column != 0
        }
        var result = [Int?](repeating: nil, count: rows)
        for column in 1...n {
            let row = rowOf[column] - 1
            if row < rows, column <= columns, costs[row][column - 1] < limit { result[row] = column - 1 }
        }
        return result
    }
}
