"""The way to a language model: any endpoint that speaks like OpenAI's.

    question --excerpt--> prompt --dialect--> request --client--> answer --reading--> value

`OpenAIModel` keeps to the ledger and the breaker, and learns of each model how it is to be asked.
"""
