"""What each language looks like, whatever it speaks of: a few plain sentences of many subjects."""

from __future__ import annotations

LANGUAGE_SAMPLES = {
    "en": """
        The government wants to change the law before the end of the year. After the match
        the coach was happy with his players. Researchers have found a new method to treat
        the disease. The company sold more cars than in the year before, and its shares
        rose. It will rain in the south, and the night will be cold. The museum shows
        paintings from the last century. Police are looking for witnesses of the accident on
        the bridge. Cut the onions and let them simmer for ten minutes. The city is building
        a school and two hundred flats. The new version of the program is faster and needs
        less memory.
    """,
    "de": """
        Die Regierung will das Gesetz noch vor Ende des Jahres ändern. Nach dem Spiel war
        der Trainer mit seinen Spielern zufrieden. Forscher haben eine neue Methode
        gefunden, um die Krankheit zu behandeln. Das Unternehmen verkaufte mehr Autos als im
        Vorjahr, und seine Aktien stiegen. Im Süden wird es regnen, und die Nacht wird kalt.
        Das Museum zeigt Gemälde aus dem vergangenen Jahrhundert. Die Polizei sucht Zeugen
        des Unfalls auf der Brücke. Die Zwiebeln schneiden und zehn Minuten köcheln lassen.
        Die Stadt baut eine Schule und zweihundert Wohnungen. Die neue Fassung des Programms
        ist schneller und braucht weniger Speicher.
    """,
    "fr": """
        Le gouvernement veut changer la loi avant la fin de l'année. Après le match,
        l'entraîneur était content de ses joueurs. Des chercheurs ont trouvé une nouvelle
        méthode pour traiter la maladie. L'entreprise a vendu plus de voitures que l'année
        précédente, et ses actions ont augmenté. Il pleuvra dans le sud et la nuit sera
        froide. Le musée montre des tableaux du siècle dernier. La police cherche des
        témoins de l'accident sur le pont. Couper les oignons et les laisser mijoter dix
        minutes. La ville construit une école et deux cents logements. La nouvelle version
        du programme est plus rapide et demande moins de mémoire.
    """,
    "es": """
        El gobierno quiere cambiar la ley antes de que termine el año. Después del partido
        el entrenador estaba contento con sus jugadores. Los investigadores han encontrado
        un nuevo método para tratar la enfermedad. La empresa vendió más coches que el año
        anterior, y sus acciones subieron. Lloverá en el sur y la noche será fría. El museo
        muestra cuadros del siglo pasado. La policía busca testigos del accidente en el
        puente. Cortar las cebollas y dejarlas cocer diez minutos. La ciudad construye una
        escuela y doscientas viviendas. La nueva versión del programa es más rápida y
        necesita menos memoria.
    """,
    "it": """
        Il governo vuole cambiare la legge prima della fine dell'anno. Dopo la partita
        l'allenatore era contento dei suoi giocatori. I ricercatori hanno trovato un nuovo
        metodo per curare la malattia. L'azienda ha venduto più automobili dell'anno
        precedente, e le sue azioni sono salite. Al sud pioverà e la notte sarà fredda. Il
        museo mostra quadri del secolo scorso. La polizia cerca testimoni dell'incidente sul
        ponte. Tagliare le cipolle e lasciarle cuocere per dieci minuti. La città costruisce
        una scuola e duecento appartamenti. La nuova versione del programma è più veloce e
        richiede meno memoria.
    """,
    "nl": """
        De regering wil de wet nog voor het einde van het jaar veranderen. Na de wedstrijd
        was de trainer tevreden over zijn spelers. Onderzoekers hebben een nieuwe methode
        gevonden om de ziekte te behandelen. Het bedrijf verkocht meer auto's dan het jaar
        ervoor, en de aandelen stegen. In het zuiden gaat het regenen en de nacht wordt
        koud. Het museum toont schilderijen uit de vorige eeuw. De politie zoekt getuigen
        van het ongeluk op de brug. Snijd de uien en laat ze tien minuten pruttelen. De stad
        bouwt een school en tweehonderd woningen. De nieuwe versie van het programma is
        sneller en heeft minder geheugen nodig.
    """,
}
