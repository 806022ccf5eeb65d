/// What another feature keeps of members.
package protocol MemberData: Sendable {
    /// Says what there is of a member.
    func count(_ member: Member, in report: inout Member.Report) throws
    /// Erases it; the name in what stays with others too.
    func erase(_ member: String) throws
}

extension Member {
    /// What there is of a member.
    package struct Report: Sendable, Hashable, Codable {
        package var removed: String
        /// Entries and weights of the diary.
        package var diaryEntries = 0, weights = 0
        /// Lists that nobody else has, and lists that stay with others.
        package var lists = 0, sharedLists = 0
        package var prices = 0, experiences = 0
        /// Items saved from photos.
        package var saved: Int
        /// Devices that this person used; they stay, and ask who it is.
        package var devices: Int
    }
}
