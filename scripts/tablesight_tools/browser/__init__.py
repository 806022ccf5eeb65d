"""Drives the app in Chromium: checks of what a person can do, and pictures of the pages."""
