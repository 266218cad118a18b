"""Words that tell the category of a text, in the languages that are read."""

from __future__ import annotations

from morningdeck.enrichers.word_list import word_list

CATEGORY_WORDS = {
    "politics": """
        election elections vote voters parliament president minister government senate congress
        democrats republicans party coalition opposition lawmakers legislation bill treaty
        sanctions diplomat diplomacy embassy campaign ballot referendum constitution prime
        regierung bundestag kanzler partei wahl wahlen koalition abgeordnete gesetz landtag
        gouvernement élection élections ministre parlement député loi gauche droite gobierno
        elecciones ministro partido congreso ley votación diputados governo elezioni ministro
        partito parlamento senato legge regering verkiezingen kamer minister partij kabinet war
        troops military army missile ceasefire nato krieg armee guerre guerra oorlog
    """,
    "business": """
        auction contract contracts container containers freight port cargo supplier megawatt
        megawatts gigawatt gigawatts turbines company companies market markets stocks shares
        investors profit revenue earnings bank banks economy economic inflation merger
        acquisition trade tariffs startup funding ceo quarter sales prices rates fed ecb bond
        bonds dollar euro gdp unemployment jobs industry retail wall bankruptcy dividend ipo
        shareholders taper unternehmen wirtschaft börse aktien gewinn umsatz konjunktur
        entreprise économie bourse actions chiffre croissance empresa economía bolsa acciones
        beneficio impresa azienda economia borsa azioni bedrijf economie beurs aandelen winst
        omzet
    """,
    "technology": """
        query queries memory parser library libraries maintainers protocol http release upgrade
        server servers breach password passwords models kernel compiler bug bugs repository
        software app apps smartphone phone computer internet online google apple microsoft
        facebook ai chip chips cloud data cyber hackers hacker security vulnerability developer
        developers code programming browser server database open-source linux android ios device
        devices startup robot algorithm encryption update beta console game gaming router
        programm rechner künstliche intelligenz sicherheitslücke logiciel ordinateur numérique
        téléphone aplicación tecnología móvil tecnologia dispositivo technologie laptop
    """,
    "science": """
        asteroids lander lunar moon satellite satellites rocket launch spacecraft bacteria
        corals coral seismometer antennas engine crew earth scientists researchers study
        research university physics chemistry biology astronomers telescope nasa space planet
        planets galaxy species fossil dna genome quantum particle experiment laboratory climate
        ocean glacier archaeologists forscher forschung studie wissenschaftler universität
        weltraum chercheurs étude espace climat científicos estudio investigadores espacio clima
        ricercatori studio scienziati spazio onderzoekers onderzoek wetenschappers ruimte orbit
        asteroid molecule evolution dinosaur
    """,
    "health": """
        health patients patient doctors doctor hospital hospitals disease cancer vaccine
        vaccines virus infection medical medicine drug drugs treatment therapy clinical trial
        nurses surgery diabetes obesity mental symptoms outbreak pandemic covid flu heart fda
        ebola measles alzheimer gesundheit patienten krankenhaus ärzte krankheit impfung krebs
        santé hôpital maladie médecins vaccin cancer salud pacientes médicos enfermedad vacuna
        salute pazienti medici malattia ospedale gezondheid patiënten ziekenhuis artsen ziekte
    """,
    "sports": """
        match game games team teams player players coach season league cup championship final
        goal goals scored win wins victory defeat tournament olympic olympics football soccer
        basketball tennis golf cricket rugby baseball hockey race racing formula driver striker
        midfielder goalkeeper stadium fans playoffs nba nfl fifa uefa spiel mannschaft trainer
        bundesliga tor tore sieg niederlage équipe joueur entraîneur championnat victoire equipo
        jugador entrenador liga partido gol squadra giocatore allenatore campionato serie
        wedstrijd ploeg speler doelpunt elftal
    """,
    "culture": """
        painter painting paintings gallery poem poet translators affreschi pittrice traduttori
        teatro restauro cinéma film films movie movies album song songs music musician band
        concert singer actor actress hollywood director theatre theater
        museum exhibition art artist novel book books author festival tv television series show
        episode box office grammy oscar oscars fashion premiere netflix comedy
        schauspieler sänger roman buch ausstellung künstler theater
        musik kino musique cinéma livre artiste exposition película música libro artista mostra
        libro musica cinema tentoonstelling boek muziek zanger kunst
    """,
    "celebrity": """
        celebrity celebrities actor actress singer star stars royal royals prince princess duchess
        kardashian hollywood bachelor influencer paparazzi gossip couple dating dates engaged
        engagement wedding married marries divorce splits split pregnant baby boyfriend girlfriend
        husband wife romance bikini outfit dress selfie instagram scheidung hochzeit promi promis
        schauspielerin sängerin royals verlobt baby boda famosa famoso mariage célébrité matrimonio
    """,
    "local": """
        council councillors residents mayor borough county village town neighbourhood
        neighborhood street road traffic police firefighters school bus station library planning
        local gemeinde stadtrat anwohner bürgermeister feuerwehr polizei stadt commune mairie
        habitants quartier maire ayuntamiento vecinos barrio alcalde comune sindaco quartiere
        residenti gemeente bewoners wijk burgemeester
    """,
}

SHOWN_AS = {"celebrity": "culture"}
"""Readers ask to be spared celebrities without meaning museums; as a category it is culture."""

CATEGORY_NAMES = {name: name for name in CATEGORY_WORDS} | {
    word: name
    for name, listed in {
        "politics": "politik politique política politica politiek",
        "business": "economy economics wirtschaft économie economía economia economie",
        "technology": "tech technologie technik tecnología tecnologia",
        "science": "wissenschaft sciences ciencia scienza wetenschap",
        "health": "medicine gesundheit medizin santé médecine salud salute gezondheid",
        "sports": "sport football soccer fußball deporte deportes fútbol calcio voetbal",
        "celebrity": "celebrities gossip promi promis famosos vip vips",
        "culture": "arts entertainment kultur cultura cultuur",
    }.items()
    for word in word_list(listed)
}
"""The words by which readers name a whole category."""
