import GRDB

/// What members played. The module `Household` reads and writes it.
extension Migration {
    static let plays = Migration(
        "17 plays of members",
        """
        -- One task that a member plays: a figure, or a game of a difficulty. `state` is the game's, for going on.
        -- Times are seconds since 1970; `seconds` is time with pictures. `solved` is null while it is open.
        CREATE TABLE play (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE,
            game TEXT NOT NULL, pieceSet TEXT NOT NULL, puzzle TEXT, difficulty TEXT NOT NULL, state BLOB,
            placed INTEGER, needed INTEGER, hints INTEGER NOT NULL, misses INTEGER NOT NULL,
            seconds REAL NOT NULL, begun INTEGER NOT NULL, updated INTEGER NOT NULL, solved INTEGER,
            isLeft INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX play_member ON play (member, updated);
        -- Experience points, skills and the estimate of what a member can do, as JSON.
        CREATE TABLE play_progress (
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE, game TEXT NOT NULL,
            progress BLOB NOT NULL, skill BLOB NOT NULL, PRIMARY KEY (member, game)
        ) STRICT, WITHOUT ROWID;
        -- Seconds of play by day, which is days since 1970 in the house's time zone.
        CREATE TABLE play_day (
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE, day INTEGER NOT NULL,
            seconds REAL NOT NULL, PRIMARY KEY (member, day)
        ) STRICT, WITHOUT ROWID;
        -- Minutes a day that an adult allows.
        CREATE TABLE play_limit (
            member INTEGER PRIMARY KEY REFERENCES member (id) ON DELETE CASCADE, minutes INTEGER NOT NULL
        ) STRICT;
        """)

    static let settersOfLimits = Migration(
        "26 who set a limit", "ALTER TABLE play_limit ADD COLUMN setBy INTEGER")
}
