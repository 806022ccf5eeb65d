"""Where the repository lies that these tools belong to."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
MODELS = REPOSITORY / "models"
SCRIPTS = REPOSITORY / "scripts"
