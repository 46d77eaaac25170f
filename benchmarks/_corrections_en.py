"""English frames of corrections and of look-alikes: (older, newer) by group, wording and reason.

A slot names a pool; a digit after it asks for another value of that pool; a capital letter marks the slot that says
what the sentence is about, so that the same sentence about something else can stand beside it.
"""

from __future__ import annotations

POOLS: dict[str, tuple[str | tuple[str, ...], ...]] = {
    "service": (
        "billing-api",
        "auth-gateway",
        "invoice-worker",
        "search-indexer",
        "mail-relay",
        "report-runner",
        "media-proxy",
        "ledger-sync",
        "quota-service",
        "catalog-api",
        "price-feed",
        "audit-sink",
    ),
    "db": ("PostgreSQL", "MySQL", "MariaDB", "SQLite", "MongoDB", "CockroachDB", "Cassandra", "DynamoDB", "Firebird"),
    "queue": ("RabbitMQ", "Kafka", "NATS", "SQS", "ZeroMQ", "Pulsar", "ActiveMQ"),
    "pm": ("npm", "pnpm", "yarn", "bun", "cnpm"),
    "ci": ("GitHub Actions", "GitLab CI", "CircleCI", "Jenkins", "Buildkite", "TeamCity"),
    "bundler": ("Webpack", "Vite", "Rollup", "esbuild", "Parcel"),
    "formatter": ("Black", "Ruff", "YAPF", "Prettier", "dprint", "Biome"),
    "tester": ("Jest", "Vitest", "Mocha", "Jasmine", "AVA"),
    "cloud": ("AWS", "Azure", "Hetzner", "DigitalOcean", "Scaleway", "Heroku", "Render", "Vultr"),
    "editor": ("Vim", "Neovim", "Emacs", "VS Code", "Zed", "Helix", "IntelliJ", "Sublime Text"),
    "lang": ("Go", "Rust", "Kotlin", "Python", "TypeScript", "Elixir", "Java", "Scala", "Ruby"),
    "os": ("Debian", "Fedora", "Ubuntu", "Arch", "NixOS", "Alpine"),
    "fmt": ("CSV", "JSON", "XML", "YAML", "Parquet", "Avro"),
    "secretstore": ("Vault", "Doppler", "1Password", "Bitwarden", "Infisical"),
    "branch": ("main", "develop", "trunk", "integration", "master"),
    "host": ("heron.internal", "osprey.internal", "plover.internal", "curlew.internal", "egret.internal"),
    "team": ("Payments", "Platform", "Growth", "Search", "Mobile", "Identity", "Logistics"),
    "person": ("Anna", "Ben", "Carla", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Mara", "Tomasz"),
    "firm": ("Halden Labs", "Brightmoor", "Cinderbay", "Ostler & Sons", "Tidewright", "Quillon"),
    "pet": ("Biscuit", "Miso", "Pixel", "Tofu", "Ziggy", "Pepper"),
    "port": ("8080", "8443", "9000", "9100", "3000", "5173", "7070"),
    "number": ("100", "250", "400", "600", "900", "1200"),
    "few": ("2", "3", "4", "5", "6", "8"),
    "minutes": ("10", "15", "20", "30", "45", "60", "90"),
    "days": ("7", "14", "21", "30", "60"),
    "version": ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14"),
    "city": ("Lisbon", "Leeds", "Hamburg", "Turin", "Oslo", "Ghent", "Denver", "Halifax"),
    "drink": ("coffee", "green tea", "mate", "hot chocolate", "rooibos", "apple juice"),
    "food": ("sushi", "olives", "lentil soup", "ramen", "falafel", "blue cheese", "mango"),
    "tongue": ("Polish", "Italian", "Turkish", "Swedish", "Korean", "Dutch"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    "hour": ("8:30", "9:00", "9:30", "10:00", "10:30"),
    "floor": ("second", "third", "fourth", "fifth", "sixth"),
    "vehicle": ("bike", "bus", "train", "car", "tram"),
    "instrument": ("guitar", "cello", "piano", "trumpet", "bass"),
}
"""What fills the slots; other languages use these pools too where they have none of their own."""

FRAMES: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("The database of {Service} is {db}.", "The database of {Service} is {db2}."),
            ("The default branch of {Service} is {branch}.", "The default branch of {Service} is {branch2}."),
            ("My favourite editor is {editor}.", "My favourite editor is {editor2}."),
            ("The tech lead of the {Team} team is {person}.", "The tech lead of the {Team} team is {person2}."),
            ("Our CI runs on {ci}.", "Our CI now runs on {ci2}."),
            ("{Person} lives in {city}.", "{Person} lives in {city2} now."),
        ),
        "another number": (
            ("{Service} listens on port {port}.", "{Service} listens on port {port2}."),
            (
                "The session timeout of {Service} is {minutes} minutes.",
                "The session timeout of {Service} is {minutes2} minutes.",
            ),
            ("Rule 4: every pull request needs {few} approvals.", "Rule 4: every pull request needs {few2} approvals."),
            ("17. The staging host is {host}.", "42. The staging host is {host2}."),
        ),
        "another version": (
            ("{Service} runs on Python {version}.", "{Service} runs on Python {version2}."),
            ("The current release of {Service} is v{version}.", "The current release of {Service} is v{version2}."),
        ),
        "use one, not the other": (
            ("Use {pm} to install the packages.", "Use {pm2}, not {pm}, to install the packages."),
            ("Use {formatter} to format the code.", "Use {formatter2} instead of {formatter} to format the code."),
            ("Run the unit tests with {tester}.", "Run the unit tests with {tester2} instead of {tester}."),
        ),
        "moved from one to the other": (
            ("We deploy to {cloud}.", "We moved from {cloud} to {cloud2}."),
            ("{Service} is written in {lang}.", "We migrated {Service} from {lang} to {lang2}."),
            ("We bundle the front end with {bundler}.", "We switched from {bundler} to {bundler2}."),
            ("I live in {city}.", "I moved from {city} to {city2}."),
        ),
        "no longer": (
            ("I work at {firm}.", "I no longer work at {firm}, I work at {firm2} now."),
            ("The message queue is {queue}.", "The message queue is no longer {queue} but {queue2}."),
            ("We use {queue} for events.", "We don't use {queue} any more, we use {queue2} for events."),
        ),
        "used to, now": (
            ("I drink {drink} in the morning.", "I used to drink {drink} in the morning, now I drink {drink2}."),
            ("{Service} uses {secretstore}.", "{Service} used to use {secretstore}, now it uses {secretstore2}."),
        ),
        "renamed": (
            ("The main repository is called {service}.", "The repository {service} was renamed to {service2}."),
            ("The release branch is called {branch}.", "The release branch is now called {branch2}."),
        ),
        "the opposite": (("I love {food}.", "I hate {food}."), ("I like {food}.", "I don't like {food} any more.")),
    },
    "true free": {
        "another store or host, in other words": (
            (
                "{Service} keeps its data in {db}.",
                "Since last sprint everything {Service} stores ends up in {db2}; the {db} box is switched off.",
            ),
            ("We deploy to {cloud}.", "{cloud2} hosts all of our stuff these days, the {cloud} account is closed."),
            (
                "Credentials are kept in {secretstore}.",
                "{secretstore2} is where you'll find every credential, nothing is left in {secretstore}.",
            ),
            (
                "To reach {Service}, go to port {port}.",
                "Knock on {port2} if you want {Service}: nothing answers on {port}.",
            ),
        ),
        "another tool, in other words": (
            ("I write code in {editor}.", "Finally gave up on {editor}; my fingers belong to {editor2}."),
            ("CI is on {ci}.", "All pipelines got ported to {ci2} last week and we pulled the plug on {ci}."),
            ("The tests run under {tester}.", "{tester} got ripped out in favour of {tester2}."),
            (
                "{Service} talks to the warehouse over REST.",
                "Calls from {Service} to the warehouse go through gRPC since the rewrite.",
            ),
        ),
        "somebody else, in other words": (
            ("{person} leads the {Team} team.", "{person2} took over {Team} when {person} left."),
            ("I report to {person}.", "Got a new boss: {person2} signs off my holidays instead of {person}."),
        ),
        "a person's life has changed": (
            ("I live in {city}.", "Got the keys to a flat in {city2}; said goodbye to {city} for good."),
            ("{Person} works at {firm}.", "{Person} handed in the badge at {firm} and started over at {firm2}."),
            ("{Person} is a vegetarian.", "{Person} eats meat again these days."),
            ("{person} and I are engaged.", "{person} and I tied the knot on Saturday."),
            ("I play the {instrument}.", "Sold my {instrument} in spring, it's all {instrument2} for me these days."),
            (
                "I get to work by {vehicle}.",
                "The {vehicle} is collecting dust; these days a {vehicle2} takes me to the office.",
            ),
            ("{Person} swears by tabs.", "{Person} has been converted: four spaces, and the tab key is taped over."),
        ),
        "another time, in other words": (
            ("My on-call day is {day}.", "They've put me down for {day2}s on the rota, so {day} is free again."),
            (
                "Standup is at {hour}.",
                "From next week the morning round kicks off at {hour2}, nobody shows up at {hour}.",
            ),
            ("We release every {day}.", "Shipping day got pushed to {day2}, {day} was too hectic."),
        ),
        "another number, in other words": (
            ("The {Team} team has {few} engineers.", "With the new hires, {Team} counts {few2} heads."),
            ("Invoices are due within {days} days.", "Customers get {days2} days to pay from this quarter on."),
            ("We support Python {version} and up.", "Anything below Python {version2} has been dropped."),
            ("Our office is on the {floor} floor.", "Come up to the {floor2}; accounting sits where we used to."),
        ),
        "another way of working, in other words": (
            ("Squash the commits when you merge.", "Keep the single commits when merging: squashing cost us bisect."),
            (
                "Branch names start with feature/.",
                "feat/ is the prefix we put on branches; the long one gets rejected.",
            ),
            ("Our logs are plain text.", "Everything we log comes out as JSON since the observability push."),
        ),
    },
    "alike plain": {
        "another subject": (
            ("{Service} uses {db}.", "{Service2} uses {db2}."),
            ("{Person} lives in {city}.", "{Person2} lives in {city2}."),
            ("The default branch of {Service} is {branch}.", "The default branch of {Service2} is {branch2}."),
        ),
        "another relation": (
            ("{Service} uses {db}.", "{Service} uses {queue}."),
            ("{Service} listens on port {port}.", "{Service} is written in {lang}."),
            ("My favourite editor is {editor}.", "My favourite drink is {drink}."),
        ),
        "many values": (
            ("{Service} supports {db}.", "{Service} supports {db2}."),
            ("{Person} is a member of the {team} team.", "{Person} is a member of the {team2} team."),
            ("{Person} speaks {tongue}.", "{Person} speaks {tongue2}."),
        ),
        "another interval": (
            ("{Person} is assigned to {team}.", "{Person} is assigned to {team}."),
            ("{person} leads the {Team} team.", "{person2} leads the {Team} team."),
        ),
        "an addition": (
            ("We use {db}.", "We also use {db2}."),
            ("I like {food}.", "I like {food2} too."),
            ("{person} reviews the code of {Service}.", "{person2} reviews the code of {Service} as well."),
        ),
        "another environment": (
            ("In staging {Service} uses {db}.", "In production {Service} uses {db2}."),
            ("The staging host is {host}.", "The production host is {host2}."),
        ),
        "two authors": (
            ("The default branch of {Service} is {branch}.", "The default branch of {Service} is {branch2}."),
        ),
        "another perspective": (
            ("According to {person} the limit is {number}.", "According to {person2} the limit is {number2}."),
            ("{person} thinks {Service} should use {db}.", "{person2} thinks {Service} should use {db2}."),
        ),
        "another condition": (
            ("In unit tests use {db}.", "Use {db2}."),
            ("On Windows use {pm}.", "On Linux use {pm2}."),
        ),
        "says the same": (("Never push to {branch}.", "Don't push to {branch}."),),
        "somebody else's words": (("{Service} uses {db}.", '{person} wrote in a comment: "{Service} uses {db2}."'),),
        "a question": (("{Service} uses {db}.", "Does {Service} use {db2}?"),),
        "a hypothetical": (("{Service} uses {db}.", "If {Service} used {db2}, the queries would be simpler."),),
        "similar names": (
            ("service-a listens on port {port}.", "service-b listens on port {port2}."),
            ("The v1 API of {Service} returns XML.", "The v2 API of {Service} returns JSON."),
        ),
        "of the past": (("{Service} uses {db}.", "Until 2023 {Service} used {db2}."),),
    },
    "alike free": {
        "another subject": (
            ("{Service} keeps its data in {db}.", "Whatever {Service2} has to remember goes into {db2}."),
            ("My sister has settled in {city}.", "I feel most at home in {city2}."),
            ("{person} taught me {lang}.", "It was {person2} who got me into {lang2}."),
            ("Our nightly build takes {minutes} minutes.", "The smoke tests are through in {minutes2} minutes."),
            ("{person} brought {food} to the team lunch.", "Dessert was on {person2}: {food2}."),
        ),
        "another relation": (
            ("Errors from {Service} go to Sentry.", "You can watch how {Service} is doing in Grafana."),
            ("{Service} answers on port {port}.", "The health checks of {Service} knock on {port2}."),
            ("Red builds block a merge.", "A release may still go out with a yellow build."),
            ("Backups run at two at night.", "Every Sunday around four the archive gets pruned."),
        ),
        "many values": (
            ("{Service} can read {fmt}.", "Feeding {fmt2} into {Service} works fine."),
            ("I'm allergic to {food}.", "There's another thing that gives me a rash: {food2}."),
            ("{person} fixes most of our flaky tests.", "{person2} is good to ask when a test is flaky."),
        ),
        "another interval": (("{person} covers the night shift.", "It's {person} who sits through the nights again."),),
        "an addition": (
            ("I've got a cat named {pet}.", "Our household has one more tail: {pet2} moved in with us."),
            ("Our alerts go to Slack.", "On top of that, anything urgent rings a phone."),
        ),
        "another environment": (
            ("Our cluster in Frankfurt runs {os}.", "Over in Dublin the machines are on {os2}."),
            ("On my laptop I'm all about {editor}.", "Once I'm on a remote box, {editor2} does the job."),
        ),
        "two authors": (("Tabs are easier on my eyes.", "To me, code with spaces is easier to read."),),
        "another perspective": (
            ("{person} finds {Service} too slow.", "{person2} is quite happy with how fast {Service} answers."),
        ),
        "another condition": (
            ("On weekdays I have {drink} for breakfast.", "Come the weekend, it's {drink2}."),
            (
                "Customers on the free plan get {number} requests a minute.",
                "Whoever pays may fire {number2} requests a minute.",
            ),
            ("I write {lang} for a living.", "After hours I tinker with {lang2}."),
        ),
        "says the same": (("Please keep your hands off the {branch} branch.", "Nobody touches {branch} by hand."),),
        "somebody else's words": (
            ("{Service} runs on {cloud}.", "{person} keeps telling everybody that {Service} belongs on {cloud2}."),
        ),
        "a question": (
            ("{Service} is written in {lang}.", "Would a rewrite of {Service} in {lang2} be worth the trouble?"),
        ),
        "a hypothetical": (
            (
                "The API is hosted on {cloud}.",
                "Suppose {cloud2} got cheaper one day, we'd think about hosting the API there.",
            ),
        ),
        "similar names": (("node-17 has {number} GB of memory.", "node-71 comes with {number2} GB."),),
        "of the past": (("{db} is what we run.", "Way back, before my time, {db2} did that job."),),
    },
}

ASIDES = (
    "The printer on the ground floor eats paper.",
    "Somebody watered the plants in the meeting room.",
    "The summer party had a magician.",
    "A parcel for the warehouse was dropped at the reception.",
    "The lift was stuck between floors for an hour yesterday.",
    "Two of the chairs in the kitchen wobble.",
    "The museum next door lets staff in for free.",
    "It hailed so hard that the skylight cracked.",
    "There are spare umbrellas behind the coat rack.",
    "The marathon blocks our street in October.",
)
"""What is told between two statements and concerns neither."""
