"""The settings of a deck: `sections` says which there are, `reading` where they come from."""
