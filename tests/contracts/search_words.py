"""Ten queries in each of ten languages, with what they must find and must not.

Each text is one item; a query must find exactly the items whose number it names.
"""

from __future__ import annotations

from dataclasses import dataclass

TEXTS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Harbour master resigns", "The harbour master of Port Ellery stepped down after storms."),
        ("New ferries are running", "Three electric ferries run between the islands since Monday."),
        ("C++ and C# at AT&T", "Developers of the .NET team don't write e-mail any more."),
    ),
    "de": (
        (
            "Häuser am Fluss geräumt",
            "Nach dem Hochwasser wurden zwölf Häuser in der Straße leer.",
        ),
        ("Die Bürgermeisterin spricht", "Sie sprach über Züge, Bäume und den Klimaschutz."),
        ("Werft baut Elektrofähren", "Die Werft in Lüttenhafen baut zwei Schiffe für die Inseln."),
    ),
    "fr": (
        ("L'élection présidentielle", "Les électeurs ont voté dimanche dans toute la région."),
        ("Un cœur artificiel", "Les médecins de l'hôpital ont opéré trois patients âgés."),
        ("Forêts en feu", "Les pompiers luttent contre les incendies près de Nîmes."),
    ),
    "es": (
        ("La selección gana la copa", "El equipo español ganó con un gol en el último minuto."),
        ("Mañana habrá huelga", "Los trabajadores de los trenes pararán durante un día."),
        ("Un telescopio en Chile", "Los astrónomos observaron galaxias muy lejanas."),
    ),
    "it": (
        ("Gli affreschi ritrovati", "Una pittrice dimenticata aveva dipinto la cisterna."),
        ("Sciopero dei treni", "I lavoratori si fermano venerdì in tutta la città."),
        ("Vino e olio", "La vendemmia è stata più ricca delle precedenti."),
    ),
    "pt": (
        ("Eleições em São Paulo", "Os eleitores escolheram novos vereadores no domingo."),
        ("O avião pousou", "Os passageiros ficaram três horas dentro da aeronave."),
        ("Praias limpas", "Voluntários recolheram toneladas de lixo nas praias."),
    ),
    "ru": (
        ("Выборы в городе", "Жители выбрали нового мэра в воскресенье."),
        ("Новые поезда", "Поезда будут ходить между Москвой и Казанью чаще."),
        ("Учёные нашли воду", "На астероиде учёные обнаружили следы воды."),
    ),
    "ja": (
        ("富士山の登山道が再開", "静岡県は東京都の登山者に注意を呼びかけた。"),
        ("新しいフェリーが就航", "ガソリン価格が上がり、電気船が選ばれた。"),
        ("寿司職人の一日", "東京の老舗で働く職人を取材した。"),
    ),
    "ko": (
        ("서울시장이 사퇴했다", "시장은 한국어로 짧게 발표하고 떠났다."),
        ("새로운 전기배", "부산항에서 섬으로 가는 배가 다닌다."),
        ("김치 축제가 열린다", "광주에서 음식 축제가 열린다."),
    ),
    "th": (
        ("ตลาดน้ำเปิดใหม่", "นักท่องเที่ยวในกรุงเทพมหานครไปตลาดน้ำกันมาก"),
        ("รถไฟฟ้าสายใหม่", "รถไฟฟ้าเริ่มวิ่งจากสนามบินไปยังใจกลางเมือง"),
        ("ข้าวราคาขึ้น", "ชาวนาขายข้าวได้ราคาดีกว่าปีที่แล้ว"),
    ),
    "zh": (
        ("北京大学发布新研究", "研究人员在北京介绍了人工智能的成果。"),
        ("上海港口重新开放", "台风过后，集装箱船回到港口。"),
        ("茶叶价格上涨", "今年春天的茶叶比去年贵。"),
    ),
}


@dataclass(frozen=True, slots=True)
class Expected:
    language: str
    query: str
    finds: tuple[int, ...]


def _of(language: str, queries: dict[str, tuple[int, ...]]) -> tuple[Expected, ...]:
    return tuple(Expected(language, query, finds) for query, finds in queries.items())


EXPECTED: tuple[Expected, ...] = (
    *_of(
        "en",
        {
            "harbour": (0,),
            "HARBOUR masters": (0,),
            '"harbour master"': (0,),
            '"master harbour"': (),
            "ferry": (1,),
            "run": (1,),
            "storms OR islands": (0, 1),
            "the -ferries": (0, 2),
            "C++": (2,),
            "AT&T .NET": (2,),
            "email": (2,),
            "dont": (2,),
        },
    ),
    *_of(
        "de",
        {
            "haus": (0,),
            "hauser": (0,),
            "Strasse": (0,),
            '"strase"': (),  # some forgive typing mistakes unless it is quoted
            "zug": (1,),
            "baum": (1,),
            "burgermeisterin": (1,),
            "elektrofähre": (2,),
            "insel": (2,),
            '"zwei schiffe"': (2,),
            "werft OR klimaschutz": (1, 2),
        },
    ),
    *_of(
        "fr",
        {
            "election": (0,),
            "elections": (0,),
            "électeur": (0,),
            "l'élection": (0,),
            "coeur": (1,),
            "hopital": (1,),
            "patient": (1,),
            "forêt": (2,),
            "nimes": (2,),
            "incendie -coeur": (2,),
        },
    ),
    *_of(
        "es",
        {
            "seleccion": (0,),
            "goles": (0,),
            "manana": (1,),
            "huelgas": (1,),
            "tren": (1,),
            "trabajador": (1,),
            "telescopios": (2,),
            "galaxia": (2,),
            '"último minuto"': (0,),
            "chile OR copa": (0, 2),
        },
    ),
    *_of(
        "it",
        {
            "affresco": (0,),
            "pittrici": (0,),
            "cisterna": (0,),
            "treno": (1,),
            "citta": (1,),
            "scioperi": (1,),
            "lavoratore": (1,),
            "vino": (2,),
            "piu ricca": (2,),
            '"vino e olio"': (2,),
        },
    ),
    *_of(
        "pt",
        {
            "sao paulo": (0,),
            "vereador": (0,),
            "eleitor": (0,),
            "aviao": (1,),
            "passageiro": (1,),
            '"três horas"': (1,),
            "praia": (2,),
            "tonelada": (2,),
            "voluntario": (2,),
            "lixo OR avião": (1, 2),
        },
    ),
    *_of(
        "ru",
        {
            "выборы": (0,),
            "ВЫБОРЫ": (0,),
            "мэр": (0,),
            "поезд": (1,),
            "Москва": (1,),
            "казань": (1,),
            "ученые": (2,),
            "вода": (2,),
            '"следы воды"': (2,),
            "астероид OR мэра": (0, 2),
        },
    ),
    *_of(
        "ja",
        {
            "富士山": (0,),
            "富士": (0,),
            "登山": (0,),
            "山道": (0,),
            "東京": (0, 2),
            "京都": (0,),
            "フェリー": (1,),
            "ｶﾞｿﾘﾝ": (1,),
            "職人": (2,),
            "東京 -職人": (0,),
            "寿司 OR 価格": (1, 2),
            "価": (1,),
        },
    ),
    *_of(
        "ko",
        {
            "서울": (0,),
            "시장": (0,),
            "장이": (0,),
            "한국": (0,),
            "국어": (0,),
            "전기": (1,),
            "기배": (1,),
            "부산항": (1,),
            "축제": (2,),
            "음식 축제": (2,),
            "축제 -김치": (),
        },
    ),
    *_of(
        "th",
        {
            "ตลาด": (0,),
            "ตลาดน้ำ": (0,),
            "ท่องเที่ยว": (0,),
            "กรุงเทพ": (0,),
            "มหานคร": (0,),
            "รถไฟ": (1,),
            "สนามบิน": (1,),
            "ข้าว": (2,),
            "ราคา": (2,),
            "ตลาด OR ข้าว": (0, 2),
        },
    ),
    *_of(
        "zh",
        {
            "北京": (0,),
            "京大": (0,),
            "大学": (0,),
            "人工智能": (0,),
            "港口": (1,),
            "上海": (1,),
            "集装箱": (1,),
            "茶叶": (2,),
            "价格上涨": (2,),
            "北京 -上海": (0,),
        },
    ),
)
