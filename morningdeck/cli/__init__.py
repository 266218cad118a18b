"""The command line: one file per noun, each thin: words in, one call, words out."""
