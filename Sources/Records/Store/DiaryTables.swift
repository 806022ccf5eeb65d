import GRDB

/// Tables of the diary. The module `Diary` reads and writes them; they are in this module because every program that opens
/// the database knows all migrations.
extension Migration {
    static let diary = Migration(
        "diary 1 entries, days, weights",
        """
        -- A diary; the zone is that of new entries.
        CREATE TABLE diary_person (person TEXT PRIMARY KEY, zone TEXT NOT NULL, goal BLOB) STRICT, WITHOUT ROWID;
        -- Hashes of the keys that open a diary.
        CREATE TABLE diary_key (
            hash BLOB PRIMARY KEY,
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        -- Hash of a code that opens the diary on one more device, until `expires` (seconds since 1970).
        CREATE TABLE diary_code (
            person TEXT PRIMARY KEY REFERENCES diary_person (person) ON DELETE CASCADE,
            hash BLOB NOT NULL, expires INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        -- Who may read whose diary.
        CREATE TABLE diary_reader (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, reader TEXT NOT NULL,
            PRIMARY KEY (person, reader)
        ) STRICT, WITHOUT ROWID;

        -- Foods as they were logged, each once; `words` are folded.
        CREATE TABLE diary_food (
            id INTEGER PRIMARY KEY, words TEXT NOT NULL, json BLOB NOT NULL UNIQUE
        ) STRICT;
        -- Times are milliseconds since 1970, days are counted from 1970, figures are thousandths.
        CREATE TABLE diary_entry (
            number INTEGER PRIMARY KEY, person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE,
            id TEXT NOT NULL, day INTEGER NOT NULL, at INTEGER NOT NULL, zone TEXT NOT NULL,
            meal TEXT NOT NULL CHECK (meal IN ('breakfast', 'lunch', 'dinner', 'snack')),
            food INTEGER NOT NULL REFERENCES diary_food (id), serving BLOB NOT NULL,
            calories INTEGER NOT NULL, protein INTEGER NOT NULL, carbs INTEGER NOT NULL, fat INTEGER NOT NULL,
            UNIQUE (person, id)
        ) STRICT;
        CREATE INDEX diary_entry_day ON diary_entry (person, day);
        CREATE INDEX diary_entry_food ON diary_entry (food);

        -- Totals beside the day; the triggers below keep them.
        CREATE TABLE diary_day (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, day INTEGER NOT NULL,
            entries INTEGER NOT NULL, calories INTEGER NOT NULL, protein INTEGER NOT NULL,
            carbs INTEGER NOT NULL, fat INTEGER NOT NULL, PRIMARY KEY (person, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER diary_added AFTER INSERT ON diary_entry BEGIN
            INSERT INTO diary_day VALUES (new.person, new.day, 1, new.calories, new.protein, new.carbs, new.fat)
            ON CONFLICT (person, day) DO UPDATE SET
                entries = entries + 1, calories = calories + excluded.calories,
                protein = protein + excluded.protein, carbs = carbs + excluded.carbs, fat = fat + excluded.fat;
        END;
        CREATE TRIGGER diary_removed AFTER DELETE ON diary_entry BEGIN
            UPDATE diary_day SET
                entries = entries - 1, calories = calories - old.calories, protein = protein - old.protein,
                carbs = carbs - old.carbs, fat = fat - old.fat
            WHERE person = old.person AND day = old.day;
            DELETE FROM diary_day WHERE person = old.person AND day = old.day AND entries = 0;
            DELETE FROM diary_food
            WHERE id = old.food AND NOT EXISTS (SELECT 1 FROM diary_entry WHERE food = old.food);
        END;

        CREATE TABLE diary_weight (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, day INTEGER NOT NULL,
            grams INTEGER NOT NULL, PRIMARY KEY (person, day)
        ) STRICT, WITHOUT ROWID;
        -- How often something was done; no content, never sent.
        CREATE TABLE diary_count (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, event TEXT NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY (person, event)
        ) STRICT, WITHOUT ROWID;
        """)

    static let countedFiles = Migration(
        "22 files whose contents were counted",
        """
        -- The entry that the file at a path made, and the content that it had then. The entry may be gone.
        CREATE TABLE diary_photo (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, path BLOB NOT NULL,
            content TEXT NOT NULL, entry TEXT NOT NULL, taken INTEGER NOT NULL, PRIMARY KEY (person, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX diary_photo_content ON diary_photo (content);
        -- The content whose prices were recorded for the file at a path.
        CREATE TABLE grocery_photo (
            path BLOB PRIMARY KEY, content TEXT NOT NULL, recorded INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX grocery_photo_content ON grocery_photo (content);
        INSERT INTO grocery_photo SELECT path, content, 0 FROM photo WHERE content IN (
            SELECT photo FROM grocery_price UNION SELECT photo FROM grocery_review);
        """)

    static let closedDays = Migration(
        "25 days that a person closed",
        """
        -- Days of which the person says that nothing is missing.
        CREATE TABLE diary_closed (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, day INTEGER NOT NULL,
            PRIMARY KEY (person, day)
        ) STRICT, WITHOUT ROWID;
        """)

    static let favourites = Migration(
        "18 favourite foods, encouragement",
        """
        -- Foods that a person marked, with the serving that they propose; `food` is the id, `words` are folded.
        CREATE TABLE diary_favourite (
            person TEXT NOT NULL REFERENCES diary_person (person) ON DELETE CASCADE, food TEXT NOT NULL,
            words TEXT NOT NULL, json BLOB NOT NULL, serving BLOB NOT NULL, PRIMARY KEY (person, food)
        ) STRICT, WITHOUT ROWID;
        -- Whether the pages may say that something goes well.
        ALTER TABLE diary_person ADD COLUMN isEncouraged INTEGER NOT NULL DEFAULT 1;
        """)
}
