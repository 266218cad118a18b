"""Words that say nothing about a text's subject, by language; lower case."""

from __future__ import annotations

from morningdeck.enrichers.word_list import word_list

STOP_WORDS = {
    "en": word_list(
        """
        a about above after again against ago all almost along already also although always am
        among an and another any anyone anything are around as at away back be became because
        become becomes been before began behind being below best better between both but by call
        called came can cannot can't come comes coming could couldn't day days did didn't do
        does doesn't doing don't done down due during each early either else end enough etc even
        ever every everyone everything expect expected far few find first five for found four
        from full further gave get gets getting give given go goes going good got great had has
        have having he held help her here hers herself him himself his hour hours how however i
        if in including indeed instead into is isn't it its it's itself just keep kept know
        known large last late later latest least left less let like likely little long look
        looks lot made mainly make makes making many may me mean means meanwhile might million
        minutes month months more most mostly much must my near nearly need never new next no
        nor not nothing now of off often old on once one ones only onto or other others our out
        over own part per perhaps put quite rather read really recent recently report reported
        reports right said same saw say saying says second see seem seems seen set several she
        should show since six small so some someone something soon still such take taken takes
        taking tell tells ten than thank that that's the their them themselves then there
        therefore these they thing things think third this those though three through throughout
        time times to today together told tomorrow too took toward towards tuesday turn two
        under until up upon us use used uses using very via want wants was wasn't way ways we
        week weeks well went were weren't what when where whether which while who whole whom
        whose why will with within without won't work would year years yes yesterday yet you
        your yours monday wednesday thursday friday saturday sunday january february march april
        june july august september october november december percent billion according added
        announced amid around whether
        """
    ),
    "de": word_list(
        """
        ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch
        auf aus außerdem bei beim bereits besonders bin bis bisher bist da dabei dadurch dafür
        dagegen daher damit danach daneben dann daran darauf daraus darin darüber darum das dass
        davon dazu dein dem den denen denn der deren des deshalb dessen dich die dies diese
        diesem diesen dieser dieses dir doch dort drei du durch dürfen ebenfalls eigenen ein
        eine einem einen einer eines einige einigen einmal er erst erste ersten es etwa etwas
        euch euro fast für ganz gegen gegenüber geht gibt gut habe haben hat hatte hatten heute
        hier hin hinter hätte ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins
        ist ja jahr jahre jahren jede jedem jeden jeder jedes jedoch jetzt kann kein keine
        keinem keinen keiner können könnte lassen laut man mehr mein mit muss müssen nach
        nachdem neben nein neu neue neuen neuer nicht nichts noch nun nur ob oder ohne prozent
        pro sagt sagte schon sehr sei seien sein seine seinem seinen seiner seit selbst sich sie
        sind so sogar soll sollen sollte sollten sondern sowie tag tage tagen trotz uhr um und
        uns unser unter viel viele vielen vom von vor wann war waren warum was weil weiter
        weitere weiteren welche wenig wenn wer werde werden wie wieder will wird wir wo woche
        wochen wolle wollen wollte worden wurde wurden während wäre würde würden zehn zu zudem
        zum zur zwar zwei zwischen über montag dienstag mittwoch donnerstag freitag samstag
        sonntag januar februar märz april mai juni juli august september oktober november
        dezember millionen milliarden mich mir mal damals gern dazu eben eher eigentlich innen
        je jemand kaum kommen kommt lang letzte letzten liegt macht machen mehrere meine möglich
        nächste nie rund sagen seinen seitdem selber später sieht stehen steht teil trotzdem
        überall vielleicht zurück zusammen genau
        """
    ),
    "fr": word_list(
        """
        a afin ai ainsi alors an année années ans après au aucun aussi autre autres aux avaient
        avait avant avec avoir car ce ceci cela celle celles celui cent ces cet cette ceux
        chaque chez ci comme comment contre d dans de depuis dernier dernière dernières derniers
        des deux dit dit-il doit donc dont du elle elles en encore entre es est et étaient était
        été être eu eux fait faire fois font grand grande heures hier hui ici il ils j jamais je
        jour jours jusqu l la laquelle le lequel les leur leurs lors lorsque lui là m ma mais
        malgré me mes même mêmes millions milliards mois moins mon n ne ni non nos notre nous
        nouveau nouvelle nouvelles on ont ou où par parce parmi pas pendant peu peut peuvent
        plus plusieurs pour pourquoi pourrait premier première près puis qu quand que quel
        quelle quelques qui quoi s sa sans se selon semaine sera seront ses si sinon soit son
        sont sous sur t ta temps tous tout toute toutes trois très tu un une vers vont vos votre
        vous y à aujourd lundi mardi mercredi jeudi vendredi samedi dimanche janvier février
        mars avril mai juin juillet août septembre octobre novembre décembre euros déclaré
        affirmé expliqué
        """
    ),
    "es": word_list(
        """
        a además ahora al algo algunas algunos allí ante antes aquel aquella aquí así aunque año
        años ayer bajo bien cada casi como con contra cual cuando cuatro de debe decir del desde
        después dice dijo donde dos durante e el ella ellas ellos embargo en entonces entre era
        eran es esa esas ese eso esos esta estaba estado estas este esto estos está están fue
        fueron gran ha haber habían había hace hacer hacia han hasta hay hoy incluso informó la
        las le les lo los luego mayor me menos mes meses mi mientras mil millones mismo mucho
        muchos muy más nada ni no nos nosotros nuestra nuestro nueva nuevo o otra otras otro
        otros para parte pero personas poco por porque primer primera primero puede pueden pues
        que quien quienes qué se sea según ser será si sido siempre sin sino sobre solo son su
        sus sí sólo también tan tanto te tiene tienen todas todavía todo todos trabajo tras tres
        tu tuvo un una unas uno unos va vez veces y ya yo él lunes martes miércoles jueves
        viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre
        octubre noviembre diciembre día días semana tiempo euros
        """
    ),
    "it": word_list(
        """
        a ad adesso agli ai al alla alle allo altra altre altri altro anche ancora anni anno
        avere aveva avevano c che chi ci circa col come con contro cosa così cui d da dagli dai
        dal dalla dalle dallo davanti degli dei del della delle dello dentro deve di dice dopo
        dove due e ed era erano essere fa fatto fino fra fu già giorni giorno gli ha hanno ho i
        ieri il in infatti inoltre invece io l la le lei li lo loro lui ma mai meno mentre mesi
        mi mila milioni miliardi molti molto nei nel nella nelle nello no noi non nostro nulla
        nuova nuove nuovi nuovo o ogni oggi ok oltre ora per perché perciò però persone più poco
        poi possono prima primo proprio può qual quale quando quanto quasi quattro quel quella
        quelle quelli quello questa queste questi questo qui quindi s sarà se secondo sei sempre
        senza si sia siamo sono sta stata state stati stato su sua sue sugli sui sul sulla sulle
        suo suoi tanto tempo tra tre tutta tutte tutti tutto un una uno va verso viene vi volta
        è lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile
        maggio giugno luglio agosto settembre ottobre novembre dicembre euro settimana detto
        spiegato
        """
    ),
    "nl": word_list(
        """
        aan af al alle alleen allemaal als altijd ander andere anderen ben bij bijna binnen
        bovendien daar daarna daarom dag dagen dan dat de deze die dit door drie dus een eens
        eerder eerst eerste en enige er ergens euro gaan gaat geen geleden geweest geworden goed
        had hadden haar heb hebben heeft heel hem hen het hier hij hoe hun ik in is ja jaar
        jaren je kan komen komt kon kunnen laat laatste later liet maar maken meer meest men met
        mij mijn miljoen miljard moet moeten na naar nadat net niet niets nieuw nieuwe nog nooit
        nu of om omdat onder ons onze ook op over procent sinds slechts steeds te tegen ten ter
        terug tijd tijdens toch toen tot tussen twee uit uur vaak van vanaf veel volgens voor
        vooral vorige waar waarom wanneer waren was wat week weken weer wel werd werden wie wij
        wil willen word worden wordt zal ze zegt zei zeer zelf zich zij zijn zo zoals zonder zou
        zouden maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart
        april mei juni juli augustus september oktober november december
        """
    ),
}

TOO_GENERAL = word_list(
    """
    eight seven nine eleven twelve twenty thirty forty fifty sixty hundred thousand fast faster
    small smaller big bigger high higher low lower longer shorter access approach area areas
    article base bit book business case cases center centre change changes chance clear click
    comment comments content copy course data date details different effect email end event
    example fact feature form full general group home idea image interest issue issues item job
    kind line link list local lot market matter member members name number numbers office page
    part parts people person persons photo piece place places plan plans point post posts press
    price problem problems process project projects public question questions reader readers
    reason result results rest room rule rules sense service services side site size source
    start state statement step story system team term test text thing title top total type
    update use user users value version video view website world leute mensch menschen frage
    fragen beispiel ende grund seite stadt land thema teil zeit bild foto video platz personne
    personnes chose exemple fin lieu partie page pays photo point question site ville caso cosa
    ejemplo fin lugar parte persona personas problema punto sitio tema vez vida esempio fine
    luogo persona persone problema punto sito mensen plaats vraag voorbeeld deel foto plek punt
    """
)
"""Words that mean something, but name no subject on their own."""
