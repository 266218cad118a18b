"""The query language: from any text to what it asks for, and how words are compared.

    text --parse_query--> Asked --wanted--> the forms that an index must hold
      ^               |
      |               +--understood--> one line for the reader

Pure: nothing here knows a database or a server, and nothing fails, whatever the text. Documents
and queries pass through the same `words`, so that both databases find the same.
"""
