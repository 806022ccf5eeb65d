import GRDB

/// The tables, and how they came to be. A migration that was shipped is never edited.
enum Migrations {
    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 photos, readings, outcomes") { database in
            // One row for each file of the watched folders. `state` is the queue: queued → running → done.
            try database.execute(
                sql: """
                    CREATE TABLE photo (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        path BLOB NOT NULL UNIQUE,
                        sidecar BLOB NOT NULL,
                        device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
                        modified INTEGER NOT NULL, changed INTEGER NOT NULL,
                        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done')),
                        attempt INTEGER NOT NULL DEFAULT 0,
                        content TEXT
                    ) STRICT;
                    CREATE INDEX photo_queue ON photo (id) WHERE state = 'queued';

                    -- What a worker answered, by content and by what it was asked: interpretation is replayed from here.
                    CREATE TABLE reading (
                        content TEXT NOT NULL, asked TEXT NOT NULL, answer BLOB NOT NULL,
                        PRIMARY KEY (content, asked)
                    ) STRICT, WITHOUT ROWID;

                    -- One outcome for each file, in the bytes of its sidecar.
                    CREATE TABLE outcome (
                        photo INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
                        status TEXT NOT NULL, json BLOB NOT NULL,
                        sidecarWritten INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE INDEX outcome_unwritten ON outcome (photo) WHERE sidecarWritten = 0;
                    """)
        }
        AllergenTables.register(in: &migrator)
        return migrator
    }
}
