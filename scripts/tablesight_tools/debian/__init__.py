"""Parts of the Debian package that scripts/package makes."""
