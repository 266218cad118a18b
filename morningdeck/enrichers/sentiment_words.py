"""Words that tell the tone of a text, in the languages that are read."""

from __future__ import annotations

from morningdeck.enrichers.word_list import word_list

POSITIVE = word_list(
    """
    achieve achieved advance award best better boost breakthrough celebrate celebrated delight
    delighted ease effective efficient enjoy excellent exciting gain gains good great growth
    happy hero honour hope hopeful improve improved improvement improves innovative joy love
    milestone optimistic peace positive praise praised progress promising proud record recover
    recovered recovery rescue rescued rise safe solid strong stronger succeed success successful
    support surge thrive triumph victory win winner wins won wonderful beste besser erfolg
    erfolgreich freude gewinn gut glücklich hoffnung sieg stark verbessert bon bonne bonheur
    espoir excellent heureux meilleur progrès réussi succès victoire bueno buena éxito feliz
    esperanza excelente mejor mejora victoria bene buono felice migliore speranza successo
    vittoria beter goed gelukkig hoop succes winst overwinning
    """
)

NEGATIVE = word_list(
    """
    abuse accident accused attack attacks bad bankrupt bankruptcy bomb collapse collapsed
    concern concerns conflict corruption crash crashed crime crisis damage damaged danger
    dangerous dead death deaths decline defeat destroyed die died disaster disease drop
    emergency fail failed failure fall falls fatal fear fears fire flood fraud guilty harm hate
    hurt illegal injured injuries kill killed kills lawsuit layoffs lose losing loss losses lost
    murder outbreak panic poor problem problems protest recession risk scandal severe shooting
    shortage slump strike suffer suffered terror threat threatens tragedy victim victims
    violence war warn warned worse worst wounded angriff krieg krise gefahr gefährlich gestorben
    getötet katastrophe mord opfer schaden scheitern sterben tot tod tote unfall verlust
    verletzt accident attaque blessés catastrophe crise danger décès guerre mort morts perte
    peur victimes ataque accidente crisis guerra herido heridos muerte muerto muertos peligro
    pérdida víctimas attacco crisi ferito feriti incidente morti morto paura perdita vittime
    aanval dood doden gewond gewonden moord ongeluk oorlog ramp slachtoffers verlies
    """
)

NEGATIONS = word_list(
    """
    no not never without nicht kein keine ohne pas sans jamais sin nunca non senza mai niet geen
    """
)
