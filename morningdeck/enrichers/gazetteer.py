"""Names and words by which people, companies and technologies are known; compact on purpose."""

from __future__ import annotations

from morningdeck.enrichers.word_list import word_list


def _names(text: str) -> frozenset[str]:
    """Names of several words: commas between them."""
    return frozenset(" ".join(name.split()) for name in text.split(","))


FIRST_NAMES = word_list(
    """
    Aaron Abdul Abigail Adam Adrian Ahmed Alain Alan Albert Alberto Alejandro Alessandro Alex
    Alexander Alexandra Alexei Alfred Ali Alice Alison Amanda Amy Ana Anders Andre Andrea
    Andreas Andrei Andrew Andrés André Andy Angela Anita Anke Ann Anna Annalena Anne Annette
    Anthony Antoine Anton Antonio Antony António Arthur Ashley Astrid Barbara Bart Beatrice Ben
    Benjamin Bernard Bernd Bernie Beth Bettina Bill Birgit Bob Boris Brad Brandon Brian Bruce
    Bruno Carl Carla Carlo Carlos Carmen Carol Caroline Catherine Cecilia Charles Charlotte
    Chris Christian Christiane Christina Christine Christoph Christopher Claire Clara Claude
    Claudia Claudio Cristina Daniel Daniela Dave David Dean Deborah Denis Dennis Diana Diane
    Diego Dieter Dirk Dmitry Dominic Dominique Don Donald Dorothy Douglas Edith Eduardo Edward
    Elena Eleni Elisabeth Elizabeth Ellen Elon Emily Emma Emmanuel Enrico Eric Erica Erik Ernst
    Esther Eva Evelyn Fabian Fabio Federica Federico Felipe Felix Fernando Florian Frances
    Francesca Francesco Francis Francisco Franco Frank François Françoise Fred Frederik
    Friedrich Fritz Gabriel Gareth Gary Geert George Georg Georges Gerald Gerhard Giacomo Gianni
    Gilles Giorgia Giorgio Giovanni Giulia Giuseppe Gordon Grace Graham Greg Greta Guillaume
    Gustavo Guy Hannah Hans Harald Harry Hassan Heather Heidi Heike Heinz Helen Helena Helga
    Helmut Hendrik Henri Henry Hillary Holger Howard Hubertus Hugh Hugo Ian Ibrahim Igor Ines
    Ingrid Irene Isabel Isabelle Ivan Jack Jacob Jacqueline Jacques Jair Jake James Jamie Jan
    Jane Janet Janine Jason Javier Jean Jeff Jeffrey Jennifer Jens Jeremy Jerome Jess Jesse
    Jessica Jill Jim Jimmy Joachim Joan Joana Joanna Joe Joel Johan Johanna Johannes John Jon
    Jonas Jonathan Jordan Jorge Jose Josef Joseph Joshua José João Juan Judith Julia Julian
    Julie Julien Jörg Jürgen Kai Kamala Karen Karim Karin Karl Kate Katharina Katherine Kathleen
    Kathy Katja Katrin Keir Keith Kelly Ken Kenneth Kevin Kim Klaus Kristin Kristina Kurt Lara
    Larry Lars Laura Lauren Laurent Lea Lee Lena Leo Leon Leonardo Leonie Lewis Liam Linda
    Lionel Lisa Lloyd Lorenzo Louis Louise Luca Lucas Lucia Lucy Luis Luisa Luke Lukas Luca Lutz
    Lydia Manfred Manuel Manuela Marc Marcel Marco Marcus Margaret Margarethe Maria Marie Marina
    Mario Marion Mark Marko Markus Marta Martha Martin Martina Mary María Mateo Matt Matteo
    Matthew Matthias Maureen Max Maxime Maya Megan Mehmet Melanie Melissa Michael Michel
    Michelle Miguel Mikael Mike Mikhail Mitch Mohamed Mohammad Mohammed Monica Monika Muhammad
    Mustafa Nadia Nancy Naomi Narendra Natalie Nathalie Nathan Neil Nicholas Nick Nicola Nicolas
    Nicole Nigel Niklas Nikolai Nils Nina Noah Nora Norbert Oleg Olga Oliver Olivia Olivier Omar
    Oscar Otto Owen Pablo Paola Paolo Pascal Patricia Patrick Paul Paula Pauline Pedro Peter
    Petra Phil Philip Philipp Philippe Pierre Pieter Priya Rachel Rafael Rainer Ralf Ralph
    Raphael Raul Ray Raymond Rebecca Recep Reinhard Renate Ricardo Riccardo Richard Rick Rishi
    Rob Robert Roberta Roberto Robin Rodrigo Roger Roland Rolf Roman Ron Ronald Rory Rose Ross
    Roy Ruben Rudolf Rupert Ruth Ryan Sabine Sally Sam Samantha Samuel Sandra Sara Sarah Satya
    Scott Sean Sebastian Sebastián Serena Sergei Sergey Sergio Shane Sharon Shinzo Silvia Silvio
    Simon Simone Sofia Sonia Sophia Sophie Stefan Stefanie Stefano Stella Stephan Stephanie
    Stephen Steve Steven Stuart Sundar Sunita Susan Susanne Sven Sylvia Tamara Tanja Tara Ted
    Teresa Terry Theo Theresa Thierry Thomas Thorsten Tim Timothy Tina Tobias Todd Tom Tommy
    Tony Torsten Tracy Ulrich Ulrike Ursula Uwe Valentina Valerie Vanessa Vera Veronica Victor
    Victoria Viktor Vincent Virginia Vitali Vladimir Volker Volodymyr Walter Wayne Wendy Werner
    Wilhelm Will William Wolfgang Xavier Xi Yann Yasmin Yuki Yvonne Zoe Åsa
    """
)

TITLES = word_list(
    """
    Mr Mrs Ms Miss Dr Prof Professor Sir Dame Lord Lady President Vice-President Minister
    Premier Chancellor Senator Governor Mayor Congressman Congresswoman Secretary Judge Justice
    General Colonel Captain Pope King Queen Prince Princess Commissioner Ambassador CEO CFO CTO
    Chairman Chairwoman Coach Director Analyst Economist Herr Frau Präsident Präsidentin Kanzler
    Kanzlerin Bundeskanzler Bundeskanzlerin Bundespräsident Bundespräsidentin Ministerpräsident
    Ministerpräsidentin Bürgermeister Bürgermeisterin Oberbürgermeister Oberbürgermeisterin
    Außenminister Außenministerin Finanzminister Finanzministerin Innenminister Innenministerin
    Wirtschaftsminister Wirtschaftsministerin Umweltministerin Gesundheitsminister Professorin
    Geschäftsführer Geschäftsführerin Sprecher Sprecherin Trainer Vorsitzende Vorsitzender M Mme
    Mlle Président Présidente Ministre Señor Señora Sr Sra Presidente Presidenta Ministro
    Ministra Alcalde Signor Signora Sindaco Premier Meneer Mevrouw Minister-president
    Burgemeester Staatssecretaris
    """
)

SPEECH = word_list(
    """
    said says told added wrote tweeted warned argued explained sagte sagt erklärte betonte
    teilte kritisierte forderte dit déclare déclaré expliqué affirme affirmé estime dijo dice
    aseguró afirmó explicó declaró detto spiegato dichiarato zegt zei vertelt stelt
    """
)

LEGAL_FORMS = word_list(
    """
    Inc Corp Corporation Ltd Limited LLC PLC Plc plc GmbH AG SE KG KGaA SA SpA S.p.A NV BV AB
    ASA Oyj Co Holdings Holding Group Technologies Motors Airlines Airways Pharmaceuticals
    Therapeutics Bancorp Industries Partners Ventures Laboratories Studios Software
    Semiconductor Semiconductors Energy Systems Instruments Biologics Robotics Labs Electric
    Networks Ferries Bank Insurance Capital Foods Aerospace Shipping Logistics Werft
    """
)

COMPANIES = _names(
    """
    Adidas, Adobe, Airbnb, Airbus, Alibaba, Allianz, Alphabet, Amazon, AMD, American Airlines,
    Anthropic, Apple, ASML, AstraZeneca, AT&T, Audi, BASF, Bayer, BioNTech, BlackRock, BMW, BNP
    Paribas, Boeing, Bosch, BP, British Airways, Broadcom, BYD, Canonical, Carrefour,
    Caterpillar, Chevron, Cisco, Citigroup, Cloudflare, Coca-Cola, Commerzbank, Credit Suisse,
    Daimler, Dell, Deutsche Bahn, Deutsche Bank, Deutsche Telekom, Disney, DoorDash, Dropbox,
    Eni, Enel, Equinor, Ericsson, ExxonMobil, Facebook, FedEx, Ferrari, Ford, Foxconn, General
    Electric, General Motors, GitHub, GitLab, GlaxoSmithKline, Goldman Sachs, Google, Heineken,
    Honda, HSBC, Huawei, Hyundai, IBM, Ikea, Infineon, Infosys, Instagram, Intel, Intesa
    Sanpaolo, JPMorgan, JPMorgan Chase, Kia, KLM, KPN, LinkedIn, Lockheed Martin, Lufthansa,
    LVMH, Maersk, Mastercard, McDonald's, Mercedes-Benz, Merck, Meta, Micron, Microsoft, Mistral
    AI, Moderna, Morgan Stanley, Mozilla, Nestlé, Netflix, Nike, Nintendo, Nissan, Nokia,
    Novartis, Novo Nordisk, Nvidia, NVIDIA, OpenAI, Oracle, Ørsted, Orsted, Palantir, Panasonic,
    PayPal, Peugeot, Pfizer, Philips, Porsche, Qualcomm, Red Hat, Renault, Repsol, Rheinmetall,
    Roche, Rolls-Royce, RWE, Ryanair, Salesforce, Samsung, Sanofi, Santander, SAP, Shell,
    Siemens, Siemens Energy, Siemens Gamesa, Snapchat, Société Générale, Sony, SoftBank, SpaceX,
    Spotify, Starbucks, Stellantis, Telefónica, Tencent, Tesla, ThyssenKrupp, Thyssenkrupp,
    TikTok, TotalEnergies, Toyota, TSMC, Twitter, Uber, UBS, UniCredit, Unilever, Vattenfall,
    Verizon, Vestas, Vodafone, Volkswagen, Volvo, VW, Walmart, WhatsApp, Wirecard, Xiaomi,
    YouTube, Zalando
    """
)

TECHNOLOGIES = _names(
    """
    5G, 6G, AI, AlphaFold, Android, Angular, Ansible, API, ARM64, Arduino, AWS, Azure, Bash,
    Bitcoin, Bluetooth, C++, C#, Celery, ChatGPT, Chromium, Claude, CRISPR, CSS, CUDA, Debian,
    Deno, Django, Docker, Elasticsearch, Elixir, Ethereum, FastAPI, Fedora, Firefox, Flask,
    FreeBSD, Gemini, GPT, GPT-4, GPT-5, GPS, GPU, GraphQL, Hadoop, Haskell, HTML, HTTP/3, iOS,
    IPv6, Java, JavaScript, Jupyter, Kafka, Kotlin, Kubernetes, LLM, LLMs, Linux, Lidar, macOS,
    MariaDB, MongoDB, MySQL, Next.js, Nginx, Node.js, NumPy, OAuth, OpenSSL, PHP, PostgreSQL,
    Postgres, Prometheus, PyPI, Python, PyTorch, QUIC, RabbitMQ, Raspberry Pi, React, Redis,
    RISC-V, RNA, mRNA, ROS, RSS, Ruby, Rust, Scala, SQL, SQLAlchemy, SQLite, Starlink, Svelte,
    TensorFlow, Terraform, TLS, TypeScript, Ubuntu, Unix, USB-C, VPN, Vue, Wayland, WebAssembly,
    WebGPU, Wi-Fi, Windows, WireGuard, Zig, blockchain, quantum computing, machine learning,
    deep learning, neural network, neural networks, artificial intelligence, künstliche
    Intelligenz, intelligence artificielle, inteligencia artificial, intelligenza artificiale,
    kunstmatige intelligentie, facial recognition, self-driving, electric vehicle, electric
    vehicles, heat pump, heat pumps, Wärmepumpe, Wärmepumpen, solar panels, fuel cell, fuel
    cells, lithium-ion, carbon capture, green hydrogen, gene therapy, gene editing, 3D printing,
    virtual reality, augmented reality, cloud computing, nuclear fusion, semiconductor,
    semiconductors, smartphone
    """
)

NO_PERSON = word_list(
    """
    Academy Administration Agency Airport Army Assembly Association Authority Bank Bay Bureau
    Bridge Center Centre Chamber Church City Club College Commission Committee Company
    Conference Congress Council County Court Department Division Embassy Exchange Federation
    Force Foundation Fund Government Group Guard Hall Harbor Harbour Hospital House Institute
    Island Journal Labour Laboratory League Library Mayor Ministry Museum Network News Office
    Operations Organisation Organization Park Parliament Party Police Port Post Prison
    Protection Railway Republic Research River School Senate Service Services Society Square
    State States Station Street Team Times Tribune Trust Union United University Valley Watch
    Agentur Amt Anstalt Bahn Bahnhof Behörde Bundestag Fakultät Gericht Gesellschaft Hochschule
    Institut Kirche Klinik Landtag Museum Partei Polizei Rat Schule Straße Stiftung Universität
    Verband Verein Assemblée Conseil Université Ayuntamiento Consejo Universidad Ministerio
    Comune Consiglio Università Ministero Gemeente Universiteit Ministerie European American
    British German French Spanish Italian Dutch Chinese Russian Deutsche Deutscher Deutsches New
    North South East West
    """
)
"""Words that no person's name has."""
