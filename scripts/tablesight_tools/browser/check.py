"""Checks in Chromium what people can do with the app, on the real daemon.

Each check starts from the daemon's state that the one before left. After a failure the run goes on; a report says what
the windows showed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tablesight_tools.browser import (
    access,
    diary,
    games,
    house,
    offline,
    packets,
    photos,
    play,
    play_games,
    receipts,
    reviews,
    shop,
)
from tablesight_tools.browser.app import (
    DARK_PHONE,
    DESK,
    GERMAN,
    NO_SCRIPT,
    PHONE,
    SMALL,
    App,
    Chromium,
    ChromiumMissing,
)
from tablesight_tools.browser.checks import Checks
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.invented import FOODS, Household
from tablesight_tools.paths import REPOSITORY

Check = Callable[[App], str | None]

DESK_CHECKS: list[Check] = [
    photos.upload_shows_progress_and_result,
    photos.drop_uploads_too,
    photos.evidence_lights_up,
    photos.a_changed_person_changes_an_open_page,
    photos.a_person_is_added_by_form,
    photos.history_finds_words,
    photos.deletion_leaves_no_bytes,
    *reviews.CHECKS,
    games.a_board_shows_pieces_live,
    games.a_hint_and_the_report,
    games.a_game_in_the_browser_plays_from_the_stream,
    *play.CHECKS,
    packets.a_game_is_one_entry_of_the_history,
    *diary.CHECKS,
    *shop.CHECKS,
    receipts.a_receipt_becomes_prices_and_a_comparison,
    receipts.a_receipt_is_accepted_in_two_taps,
    receipts.a_shop_is_renamed_and_merged,
    shop.a_person_takes_the_data_and_leaves,
    *packets.CHECKS,
    access.axe_finds_nothing,
    access.pages_zoom_to_200_percent,
    access.every_control_takes_the_focus,
]
PHONE_CHECKS: list[Check] = [
    *reviews.PAGES,
    diary.the_diary_asks_for_the_pin,
    offline.a_list_is_changed_on_two_phones_without_the_daemon,
    offline.thirty_entries_are_made_without_the_daemon,
    access.pages_fit_a_phone_and_are_small,
    access.axe_finds_nothing,
    access.the_first_page_is_quick_on_a_slow_network,
]
DARK_CHECKS: list[Check] = [diary.the_diary_asks_for_the_pin, access.axe_finds_nothing]
NO_SCRIPT_CHECKS: list[Check] = [
    photos.the_form_works_without_script,
    packets.saving_and_people_work_without_script,
    *reviews.PAGES,
    diary.the_diary_works_without_script,
    shop.lists_work_without_script,
]
WINDOWS = [
    (PHONE, PHONE_CHECKS),
    (DARK_PHONE, DARK_CHECKS),
    (NO_SCRIPT, NO_SCRIPT_CHECKS),
    (GERMAN, [photos.german_is_chosen_by_the_browser]),
]


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/check-app", description=__doc__)
    parser.add_argument("--only", default="", help="parts of the names of wanted checks, by commas")
    parser.add_argument("--receipts", type=Path, help="folder with photos of receipts to check too, such as eval's")
    parser.add_argument("--each", type=int, help="at most so many receipts of each folder")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument(
        "--failures", type=Path, help="folder for reports of failed checks (default: .build-browser/check-app)"
    )
    options = parser.parse_args()
    checks = Checks("check-app", options.only, options.failures)

    def run(app: App, check: Check, name: str = "") -> None:
        app.errors.clear()
        checks.run(lambda: check(app), name or check.__name__, lambda: app.chromium.windows)
        app.chromium.close_all_but(app)

    try:
        with Chromium() as chromium, Daemon(options.program.resolve(), foods=FOODS) as daemon:
            household = Household(daemon)
            with chromium.window(household, DESK) as app:
                run(app, photos.sign_in_needs_the_token)
                daemon.store_people()
                app.sign_in()
                for check in DESK_CHECKS:
                    run(app, check)
                for photo in receipts.photos(options.receipts, options.each) if options.receipts else ():
                    read = partial(receipts.a_receipt_becomes_prices_and_a_comparison, photo=photo)
                    run(app, read, f"receipt {photo.stem}")
            for look, wanted in WINDOWS:
                with chromium.window(household, look) as app:
                    app.sign_in()
                    for check in wanted:
                        run(app, check)
        with Chromium() as chromium, Daemon(options.program.resolve()) as empty:
            with chromium.window(Household(empty), DESK) as app:
                for check in house.CHECKS:
                    run(app, check)
        with Chromium() as chromium, play_games.played(options.program.resolve()) as played:
            for look in (SMALL, DESK):
                with chromium.window(Household(played), look) as app:
                    app.sign_in()
                    run(app, play_games.every_game_is_played_and_goes_on)
    except ChromiumMissing as error:
        print(f"check-app: {error}", file=sys.stderr)
        return 69
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
