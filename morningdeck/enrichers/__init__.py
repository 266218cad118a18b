"""Making summaries, tags and scores of articles."""
