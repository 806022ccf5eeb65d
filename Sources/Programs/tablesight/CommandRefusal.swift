/// An error of a feature's actions. Each feature has one list of what its refusals end a command with.
protocol CommandRefusal: Error {
    var commandError: any Error { get }
}
