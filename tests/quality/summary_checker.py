"""What a reader would hold against a summary; knows nothing of how summaries are made.

It looks where each sentence stands in its text: one that starts or ends in the midst of
another is a fragment, one that leans on the sentence before it needs that one beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

LONGEST = 400
MOST_SENTENCES = 3
FEWEST_WORDS = 4
FEWEST_SIGNS = 10
"""Of a sentence in a script without blanks."""
SAID_BY_THE_TITLE = 0.8

_ENDS = ".!?。！？؟۔।"
_CLOSERS = "\"'”’»“›)]」』）】"
_WHOLE = re.compile(rf"[{_ENDS}][{re.escape(_CLOSERS)}]*$")
_CUT = re.compile(rf"(?:\.\.+|…|\[…\]|\[\.\.\.\])[{re.escape(_CLOSERS)}]*$")
_PIECES = re.compile(
    rf"(?<=[{_ENDS}])[{re.escape(_CLOSERS)}]* +(?=\S)|(?<=[。！？])(?=[^{re.escape(_CLOSERS)}])"
)
_SHORT_FORMS = frozenset(
    word
    for line in (
        "dra mr mrs ms dr prof st vs etc no nr z.b d.h u.a bzw ca e.g i.e sr sra dott sig dhr mevr",
        "rep rev ing gen sen gov lt col sgt jr bd hr fr mme mlle m p.ej p.m a.m u.s u.k inc",
        "mo di mi do sa so corp ltd co",
        "abs art vol fig nº núm pág bijv o.a t.a.v ggf evtl inkl mio mrd e.v т.е т.д г",
    )
    for word in line.split()
)
_NEVER_LAST = (
    "dr",
    "mr",
    "mrs",
    "ms",
    "prof",
    "z.b",
    "d.h",
    "e.g",
    "i.e",
    "vs",
    "sra",
    "dott",
    "т.е",
)
_SPACELESS = re.compile(r"[぀-ヿ㐀-鿿฀-๿]")
_LEANS = {
    "en": "he she it they him her hers its their them this these those+are those+were that such"
    " but however yet so thus then therefore hence moreover furthermore meanwhile also still"
    " instead besides nevertheless nonetheless otherwise and or nor as+a+result for+example"
    " for+instance in+addition on+the+other+hand by+contrast the+former the+latter",
    "de": "er sie es ihm ihn ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner dies diese"
    " dieser dieses diesen diesem aber doch jedoch und oder denn sondern auch außerdem zudem"
    " dennoch trotzdem deshalb daher darum deswegen dabei dazu dafür dagegen damit danach dadurch"
    " daraufhin dort so allerdings hingegen hierbei hierzu das+ist das+war das+sei",
    "fr": "il elle ils elles ce cet cette ces cela ceci c mais et ou donc or ni car aussi cependant"
    " pourtant toutefois néanmoins ensuite puis ainsi alors enfin son sa ses leur leurs celui"
    " celle en+effet par+ailleurs de+plus en+revanche par+exemple",
    "es": "él ella ellos ellas este esta estos estas ese esa esos esas esto eso aquel aquella pero"
    " y o sino también además entonces luego así asimismo su sus sin+embargo por+eso por+ello"
    " por+ejemplo no+obstante",
    "it": "lui lei esso essa loro questo questa questi queste quello quella ciò ma e ed o però"
    " anche inoltre tuttavia quindi perciò dunque poi così invece infatti suo sua suoi sue"
    " per+esempio",
    "nl": "hij zij ze dit dat deze die maar en of want ook bovendien echter toch daarom daarna"
    " daarnaast daarbij zo dus verder zijn haar hun bijvoorbeeld",
    "pt": "ele ela eles elas isto isso aquilo este esta estes estas esse essa esses essas mas porém"
    " contudo também então assim depois entretanto seu sua seus suas e ou além+disso"
    " no+entanto por+exemplo",
    "ru": "он она оно они это этот эта эти но однако и а также поэтому затем его её их",
}
_TELLS = {
    "en": "the of and to is was for with",
    "de": "der die das und ist nicht mit den von",
    "fr": "le la les des est dans une du et",
    "es": "el la los las que por una con del",
    "it": "il la che di della per una del sono",
    "nl": "het een van de en is niet dat op",
    "pt": "o os que da do uma não com em",
    "ru": "и в не на что с по",
}
_LEANS_ON_TIME = re.compile(
    r"^(?:this|these|diese\w*|cette|ces?t?|est[ae]s?|quest[aeio]|deze|dit|est[ae])\s"
    r"(?:\w+\s)?(?:week|year|month|morning|evening|weekend|summer|winter|spring|autumn|fall"
    r"|woche|jahr|monat|semaine|année|mois|semana|año|ano|mes|mês|settimana|anno|mese|jaar|maand)",
    re.IGNORECASE,
)
_HE_SAID = re.compile(
    r"[,”\"»’] (?:he|she|they|it) (?:said|says|added|told|explained|wrote|warned)\b"
    r"|\b(?:said|says|added) (?:he|she|they)[.,]|\bsagte (?:er|sie)\b|\bso (?:er|sie)\b[.,]"
    r"|(?:a-t-|dit-)(?:il|elle)\b",
    re.IGNORECASE,
)
_JUNK = {
    kind: re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for kind, pattern in {
        "address": r"https?:|www\.\w|\w@\w",
        "code": r"[{}<>]|==|=>|->|\(\)|::|;\s*$|\$\(|</|&\w+;|\bvar\ \w+\ =",
        "caption": r"""
            ^\W*(?:photo|image|picture|foto|bild|crédit|credit|figure|fig\.|abb\.|video)\b
                [^.]{0,40}[:/|]
            | \((?:photo|image|foto|bild|getty|credit)\s?[:/][^)]*\)\s*\.?$
            | getty\ images|shutterstock|file\ photo|archivfoto|symbolbild|\b(?:foto|photo):\ """,
        "byline": r"""
            ^(?:by|von|par|por|di|door|written\ by|posted\ by|author:?|autor:?)
                (?-i:(?:\s[A-ZÄÖÜÉ][\w.'’-]+){1,4})[.,|]?$
            | ^(?:updated|published|posted|last\ (?:updated|modified)|aktualisiert|veröffentlicht
                |publié)\b.{0,60}$
            | \bis\ a\ (?:\w+\ )?(?:writer|reporter|journalist)\b|\bsubmitted\ by\b""",
        "pitch": r"""
            newsletter|subscribe|sign\ up|log\ ?in\b|follow\ us|share\ this|click\ here
            | \bread\ (?:more|on|the\ full)|continue\ reading|learn\ more|leave\ a\ comment
            | abonnieren|abonnez|suscr[íi]b|iscriviti|weiterlesen|mehr\ lesen|lire\ la\ suite
            | leer\ más|leggi\ (?:anche|tutto)|lees\ (?:meer|verder)|appeared\ first\ on
            | originally\ published|all\ rights\ reserved|alle\ rechte|tous\ droits|©|donate
            | advertisement|sponsored|patreon|view\ in\ browser|terms\ of\ (?:use|service)""",
        "cookies": r"""
            \b(?:we|us|site|website|page|accept|manage|your|alle|verwende[nt]|nutz\w+|utili[sz]\w+)
                \b.{0,30}\bcookies?\b
            | cookie\ (?:policy|settings|consent)|enable\ javascript|privacy\ policy
            | javascript\ (?:is|aktivieren)|datenschutzerkl|ad\ ?blocker
            | browser\ (?:is|ist)\ (?:not|nicht|out)""",
    }.items()
}


def faults(summary: str, *, title: str, text: str) -> list[str]:
    """What is wrong, one word and the place each; an empty summary has no faults."""
    if not summary:
        return []
    flat = _flat(text.replace("\u00ad", "").replace("\u200b", ""))
    found = [] if len(summary) <= LONGEST else [f"long: {len(summary)} characters"]
    sentences = [one for piece in pieces(summary) for one in _as_in(flat, piece)]
    if len(sentences) > MOST_SENTENCES:
        found.append(f"long: {len(sentences)} sentences")
    before = ""
    for sentence in sentences:
        found += [f"{fault}: {sentence}" for fault in _of_sentence(sentence, before, title, flat)]
        before = sentence
    return found


def pieces(text: str) -> list[str]:
    """Its sentences, in a way of its own."""
    found: list[str] = []
    start = 0
    for gap in _PIECES.finditer(text):
        piece = text[start : gap.end()].strip()
        last = piece.split()[-1].rstrip(_CLOSERS) if piece.split() else ""
        follows = text[gap.end()]
        short = last.endswith(".") and (
            last[:-1].lower().lstrip("(\"'„“«") in _SHORT_FORMS
            or len(last) == 2
            or last[:-1].isdigit()
        )
        if piece and not short and not follows.islower():
            found.append(piece)
            start = gap.end()
    return [*found, rest] if (rest := text[start:].strip()) else found


def _as_in(text: str, piece: str) -> list[str]:
    """The piece, or the two that stand apart in the text (`... on 5 May. The company ...`)."""
    line = text.replace("\n", " ")
    if piece in line:
        return [piece]
    for gap in _PIECES.finditer(piece):
        head, tail = piece[: gap.end()].strip(), piece[gap.end() :].strip()
        if head in line and (found := _as_in(text, tail)):
            return [head, *found]
    return [piece]


def _flat(text: str) -> str:
    """One blank between words; a line's end stays to be seen."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


def _of_sentence(sentence: str, before: str, title: str, text: str) -> Iterator[str]:
    if fault := _fragment(sentence, text):
        yield f"fragment ({fault})"
    if _says_the_title(sentence, title):
        yield "title"
    leans = _leans(sentence, text) and not _LEANS_ON_TIME.search(sentence)
    if (leans or _HE_SAID.search(sentence)) and not _follows(sentence, before, text):
        yield "leans"
    for kind, pattern in _JUNK.items():
        if pattern.search(sentence):
            yield kind


def _leans(sentence: str, text: str) -> bool:
    known = [entry.replace("+", " ") for entry in _LEANS[_language(text)].split()]
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", sentence[:80])]
    return any(" ".join(words[:length]) in known for length in (1, 2, 3))


@lru_cache(16)
def _language(text: str) -> str:
    """Whose little words it uses most."""
    counts = Counter(re.findall(r"\w+", text.lower()))
    return max(_TELLS, key=lambda code: sum(counts[word] for word in _TELLS[code].split()))


def _fragment(sentence: str, text: str) -> str:
    last = sentence.split(" ")[-1].lower().removesuffix(".")
    if not _WHOLE.search(sentence) or _CUT.search(sentence) or last in _NEVER_LAST:
        return "no end"
    first = next((sign for sign in sentence if sign.isalnum()), "")
    word = sentence.lstrip("\"'“„«‘(¿¡「『").split(" ")[0]
    if not first or (first.islower() and word.islower()) or sentence[0] in ",;:)]-–—•*/|":
        return "no start"
    if _SPACELESS.search(sentence):
        short = len(sentence) < FEWEST_SIGNS
    else:
        short = len(re.findall(r"[^\W\d]+", sentence)) < FEWEST_WORDS
    if short:
        return "too short"
    if any(sentence.count(one) != sentence.count(other) for one, other in ("()", "[]", "「」")):
        return "open bracket"
    return _cut_out(sentence, text)


def _cut_out(sentence: str, text: str) -> str:
    place = text.replace("\n", " ").find(sentence)
    if place < 0:
        return "not in the text"
    head, tail = text[:place].rstrip(" "), text[place + len(sentence) :]
    if head and head[-1] not in f"\n{_ENDS}{_CLOSERS}…:-–—|•*":
        return "starts within another"
    if tail[:1] == " " and tail[1:2].islower():
        return "ends within another"
    return ""


def _words(text: str) -> list[str]:
    """Words, or pairs of signs where a script has no blanks."""
    if _SPACELESS.search(text):
        signs = re.sub(r"\W", "", text)
        return [signs[at : at + 2] for at in range(len(signs) - 1)]
    return [word for word in re.findall(r"\w+", text.lower()) if len(word) > 3 or word.isdigit()]


def _says_the_title(sentence: str, title: str) -> bool:
    if title.endswith("…") and sentence.startswith(title.rstrip("…")):
        return True
    said, known = _words(sentence), set(_words(title))
    if not said or len(known) < 2:
        return False
    return sum(word in known for word in said) >= SAID_BY_THE_TITLE * len(said)


def _follows(sentence: str, before: str, text: str) -> bool:
    """Whether the sentence before it is the one that stands before it in its text."""
    line = text.replace("\n", " ")
    return bool(before) and (f"{before} {sentence}" in line or f"{before}{sentence}" in line)
