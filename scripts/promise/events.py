"""Promise 14: what happened reaches whoever asked to be told."""
from daemon import Skip


def delivered(bench):
    raise Skip("webhooks come with the next change")
