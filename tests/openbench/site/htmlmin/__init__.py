"""Stands in for django-htmlmin, which Debian does not have: pages are sent as they are."""
