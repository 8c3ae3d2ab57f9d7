//! Tells jokes, riddles and facts.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if joke
            .tool(
                Tool::new("@joke", "Tells a joke")
                    .phrase("en", "tell [me|us] [a|another|one] [more] [good|funny|silly|short|new] joke|jokes [please]")
                    .phrase("en", "do you know [a|any] [good|funny|new] joke|jokes")
                    .phrase("en", "got|have [a|any] [good|funny|new] joke|jokes [for] [me|us]")
                    .phrase("en", "do you have|know [a|any|another] [good|funny|new] joke|jokes [for] [me|us]")
                    .phrase("en", "one more [good|funny|new] joke [please]")
                    .phrase("en", "know any|a [good|funny|new] joke|jokes")
                    .phrase("en", "say|tell a|another joke")
                    .phrase("en", "say|tell [me|us] something funny")
                    .phrase("en", "i would like|love to hear a|another [good|funny|new] joke")
                    .phrase("en", "[a|another] [good|funny|new] joke [please]")
                    .phrase("en", "i want|need [to] [hear] a|another [good|funny] joke")
                    .phrase("en", "make me|us laugh")
                    .phrase("en", "say something funny")
                    .phrase("de", "erzähl|erzähle|erzählst [du] [mir|uns] [mal|bitte] [noch] [einen|nen] [guten|lustigen|neuen|kurzen] witz")
                    .phrase("de", "kennst|weißt|hast du [noch] [einen|nen] [guten|lustigen|neuen] witz")
                    .phrase("de", "[noch] [einen|ein] [guten|lustigen|neuen] witz [bitte]")
                    .phrase("de", "ich will|möchte|brauche [noch] einen|nen [guten|lustigen] witz [hören]")
                    .phrase("de", "mach [mal] [einen|nen] witz")
                    .phrase("de", "kennst|weißt|hast du [mal|noch|auch] [einen|nen|ein] [guten|lustigen|neuen|kurzen] witz|witze [für] [mich|uns]")
                    .phrase("de", "mir|uns [mal|bitte|noch] [einen|nen|ein] [guten|lustigen|neuen] witz|witze erzählen")
                    .phrase("de", "[bitte] [noch] [mehr] witze [bitte]")
                    .phrase("de", "ich brauche|will|möchte [mal] was|etwas zum lachen")
                    .phrase("de", "bring mich [mal] zum lachen")
                    .phrase("de", "erzähl|erzähle|sag [mir|mal] [was|etwas] lustiges|witziges")
                    .example("tell me a joke")
                    .example("erzähl mir einen Witz"),
            )
            // @end
            // @if riddle
            .tool(
                Tool::new("@riddle", "Asks a riddle")
                    .phrase("en", "tell|ask|give [me|us] [a|another|one] [more] [good|easy|hard|new] riddle|riddles [please]")
                    .phrase("en", "do you know [a|any] [good|new] riddle|riddles")
                    .phrase("en", "do you have|know [a|any|another] [good|easy|hard|new] riddle|riddles [for] [me|us]")
                    .phrase("en", "got|have [a|any] [good|easy|hard|new] riddle|riddles [for] [me|us]")
                    .phrase("en", "one more [good|easy|hard|new] riddle [please]")
                    .phrase("en", "i would like|love to hear|solve|have|try a|another [good|easy|hard|new] riddle")
                    .phrase("en", "[a|another] [new] riddle [please]")
                    .phrase("en", "i want|need [to] [hear] a|another [good|new] riddle")
                    .phrase("de", "ich will|möchte|brauche [noch] ein [neues|leichtes|schweres] rätsel [hören]")
                    .phrase("de", "stell|stelle|gib|erzähl|erzähle [mir|uns] [mal|bitte] [noch] [ein|einen] [neues|leichtes|schweres] rätsel")
                    .phrase("de", "kennst|weißt|hast du [noch] [ein] [gutes|neues] rätsel")
                    .phrase("de", "stell|stelle|gib|erzähl|erzähle [mir|uns] [mal|bitte] [noch] [ein] [neues|gutes|leichtes|schweres] rätsel [auf]")
                    .phrase("de", "kennst|weißt|hast du [mal|noch|auch] [ein|paar] [gutes|gute|neues|leichtes|schweres] rätsel [für] [mich|uns]")
                    .phrase("de", "ich will|möchte|würde|mag [gern|gerne] [mal|noch] [ein] [neues|gutes|leichtes|schweres] rätsel [lösen|raten|hören|haben]")
                    .phrase("de", "[lass|lasst] [uns] [mal|noch] [ein] rätsel raten|lösen|machen")
                    .phrase("de", "mir|uns [mal|bitte|noch] [ein] [neues|gutes|leichtes|schweres] rätsel stellen|aufgeben|erzählen")
                    .phrase("de", "[noch] [ein] [neues] rätsel [bitte]")
                    .example("give me a riddle")
                    .example("stell mir ein Rätsel"),
            )
            // @end
            // @if fact
            .tool(
                Tool::new("@fact", "Tells something worth knowing")
                    .phrase("en", "tell|give [me|us] [a|another|one|the] [more] [fun|random|interesting|cool|new] fact|facts [of] [the] [day] [please]")
                    .phrase("en", "tell me something interesting|new|surprising")
                    .phrase("en", "[a|another|the] [fun|random|interesting] fact [of] [the] [day] [please]")
                    .phrase("en", "did you know")
                    .phrase("de", "wusstest du schon")
                    .phrase("de", "was gibt es interessantes|wissenswertes|spannendes [zu] [wissen]")
                    .phrase("de", "erzähl|erzähle|sag|nenn|nenne [mir|uns] [mal|bitte] [noch] [etwas|was|einen] [interessanten|lustigen|spannenden|neuen] fakt|interessantes|wissenswertes|spannendes|neues")
                    .phrase("de", "kennst|weißt|hast du [noch] [etwas|was|einen] [interessanten|lustigen|spannenden] fakt|interessantes|wissenswertes|spannendes")
                    .phrase("de", "[noch] [ein] fakt [des] [tages] [bitte]")
                    .phrase("de", "wissenswertes")
                    .example("tell me a fun fact")
                    .example("erzähl mir etwas Interessantes"),
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if joke
            "@joke" => told(if german(call) { GERMAN_JOKES } else { JOKES }),
            // @end
            // @if riddle
            "@riddle" => riddle(german(call)),
            // @end
            // @if fact
            "@fact" => told(if german(call) { GERMAN_FACTS } else { FACTS }),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

// @if joke|fact
fn told(texts: &[&str]) -> Answer {
    Ok(host::pick(texts)?.to_string())
}
// @end

// @if joke
const JOKES: &[&str] = &[
    "Why did the scarecrow win a prize? He was outstanding in his field.",
    "What do you call a bear without teeth? A gummy bear.",
    "Why can't a bicycle stand up by itself? It is two tired.",
    "What do you call cheese that belongs to somebody else? Nacho cheese.",
    "Why was the maths book so sad? It had too many problems.",
    "What did one wall say to the other? Meet you at the corner.",
    "Why do bees have sticky hair? They use honeycombs.",
    "What do you get when a snowman meets a hungry dog? Frostbite.",
    "Why did the tomato turn red? It saw the salad dressing.",
    "How does the sea say hello? It waves.",
    "What do you call a dinosaur that is fast asleep? A dino-snore.",
    "What does a robot eat between meals? Microchips.",
    "Why did the golfer bring a second pair of trousers? In case of a hole in one.",
    "What is brown and sticky? A stick.",
    "Why are fish so clever? They spend their lives in schools.",
    "What did the zero say to the eight? I like your belt.",
    "Which day do potatoes like least? Fry-day.",
    "Why did the music teacher need a ladder? To reach the high notes.",
];

const GERMAN_JOKES: &[&str] = &[
    "Was ist orange und läuft über die Berge? Eine Wanderine.",
    "Was ist grün und steht vor der Tür? Ein Klopfsalat.",
    "Was macht eine Wolke, wenn es sie juckt? Sie fliegt zum Wolkenkratzer.",
    "Wie nennt man einen Bumerang, der nicht zurückkommt? Stock.",
    "Was liegt am Strand und spricht undeutlich? Eine Nuschel.",
    "Warum können Geister nicht gut lügen? Man durchschaut sie sofort.",
    "Treffen sich zwei Magnete. Sagt der eine: Was soll ich heute bloß anziehen?",
    "Was macht ein Pirat am Computer? Er drückt die Enter-Taste.",
    "Was ist braun, klebt und läuft durch die Wüste? Ein Karamel.",
    "Was sagt die Null zur Acht? Schicker Gürtel!",
    "Was macht ein Glaser ohne Glas? Er trinkt aus der Flasche.",
    "Warum stehen so viele Pilze im Wald? Weil die Tannen zapfen.",
    "Welcher Bus fuhr über das Meer? Der Kolumbus.",
    "Was ist ein Keks unter einem Baum? Ein schattiges Plätzchen.",
    "Was ruft die Schnecke auf dem Rücken der Schildkröte? Hui, nicht so schnell!",
];
// @end

// @if fact
const FACTS: &[&str] = &[
    "An octopus has three hearts.",
    "A day on Venus is longer than a year there.",
    "To a botanist a banana is a berry, and a strawberry is not.",
    "Light takes a little more than eight minutes from the Sun to us.",
    "Sea otters hold each other's paws while they sleep, so that they do not drift apart.",
    "The Eiffel Tower is some centimetres taller on a hot day, because iron expands.",
    "The droppings of wombats have the shape of cubes.",
    "Bees show each other by a dance where the flowers are.",
    "Hummingbirds can fly backwards.",
    "A baby has about 300 bones, a grown-up 206: some of them grow together.",
    "Some kinds of bamboo grow almost a metre in a day.",
    "Sound is about four times as fast in water as in air.",
    "The Moon moves away from us by almost four centimetres a year.",
    "Sharks lived in the sea before there were trees on land.",
    "Butterflies taste with their feet.",
    "Saturn is lighter than as much water: in a big enough bath it would float.",
    "Honey keeps for many years when it stays dry and closed.",
];

const GERMAN_FACTS: &[&str] = &[
    "Ein Oktopus hat drei Herzen.",
    "Ein Tag auf der Venus ist länger als ein Jahr dort.",
    "Für Botaniker ist die Banane eine Beere und die Erdbeere keine.",
    "Das Licht der Sonne braucht etwas mehr als acht Minuten bis zu uns.",
    "Seeotter halten sich im Schlaf an den Pfoten, damit sie nicht auseinandertreiben.",
    "Der Eiffelturm ist an heißen Tagen einige Zentimeter höher, weil sich Eisen ausdehnt.",
    "Wombats machen Häufchen in der Form von Würfeln.",
    "Bienen zeigen einander mit einem Tanz, wo die Blumen stehen.",
    "Kolibris können rückwärts fliegen.",
    "Ein Baby hat etwa 300 Knochen, ein Erwachsener 206: Manche wachsen zusammen.",
    "Manche Bambusarten wachsen fast einen Meter am Tag.",
    "Schall ist im Wasser etwa viermal so schnell wie in der Luft.",
    "Der Mond entfernt sich jedes Jahr fast vier Zentimeter von uns.",
    "Haie lebten schon im Meer, bevor es an Land Bäume gab.",
    "Schmetterlinge schmecken mit den Füßen.",
    "Der Saturn ist leichter als ebenso viel Wasser: In einer Badewanne, die groß genug ist, würde er schwimmen.",
    "Honig hält sich viele Jahre, wenn er trocken und geschlossen bleibt.",
];
// @end

// @if riddle
fn riddle(german: bool) -> Answer {
    let (question, answer) = *host::pick(if german { GERMAN_RIDDLES } else { RIDDLES })?;
    let solution = answer.split(',').next().unwrap_or(answer);
    // @if ask
    if let Ok(said) = ask(question) {
        let said = lower(&said);
        let is_right = answer.split(", ").any(|word| {
            let word = lower(word.rsplit(' ').next().unwrap_or(word));
            said.split(|c: char| !c.is_alphanumeric()).any(|part| part.strip_suffix('s').unwrap_or(part) == word.strip_suffix('s').unwrap_or(&word))
        });
        return Ok(match (is_right, german) {
            (true, false) => format!("Right: {}!", solution),
            (true, true) => format!("Richtig: {}!", solution),
            (false, false) => format!("It is {}.", solution),
            (false, true) => format!("Es ist {}.", solution),
        });
    }
    // @end
    Ok(if german {
        format!("{} (Lösung: {}.)", question, solution)
    } else {
        format!("{} (Answer: {}.)", question, solution)
    })
}

/// Each with its solution, and with words that count as right too.
const RIDDLES: &[(&str, &str)] = &[
    ("What has two hands, but no arms?", "a clock, watch"),
    ("What gets wetter the more it dries?", "a towel"),
    ("What has teeth, but cannot bite?", "a comb, saw, zip, zipper"),
    ("What can you catch, but not throw?", "a cold, bus, train, flu"),
    ("What has an eye, but cannot see?", "a needle, storm, potato"),
    ("What goes up when the rain comes down?", "an umbrella"),
    ("What is full of holes and still holds water?", "a sponge"),
    ("What is yours, but others use it more than you do?", "your name"),
    ("What must be broken before you can eat it?", "an egg, nut, coconut"),
    ("What has a neck, but no head?", "a bottle"),
    ("What has four legs, but cannot walk?", "a table, chair, bed"),
    ("What has many leaves, but is no tree?", "a book"),
    ("What breaks when you say its name?", "silence"),
    ("What follows you in the sun and is gone in the dark?", "your shadow"),
    ("What has keys, but opens no door?", "a piano, keyboard"),
];

const GERMAN_RIDDLES: &[(&str, &str)] = &[
    ("Was geht und geht und kommt doch nie an?", "die Uhr, Wanduhr"),
    ("Was wird nasser, je mehr es trocknet?", "das Handtuch, Tuch"),
    ("Was hat Zähne und beißt doch nie?", "der Kamm, Säge, Reißverschluss, Zahnrad"),
    ("Was kann man fangen, aber nicht werfen?", "eine Erkältung, Schnupfen"),
    ("Was geht auf, wenn der Regen fällt?", "der Regenschirm, Schirm"),
    ("Was ist voller Löcher und hält doch Wasser?", "der Schwamm"),
    ("Was gehört dir, und andere benutzen es öfter als du?", "dein Name"),
    ("Was muss man zerbrechen, bevor man es essen kann?", "das Ei, Nuss, Kokosnuss"),
    ("Was hat einen Hals, aber keinen Kopf?", "die Flasche"),
    ("Was hat vier Beine und kann nicht laufen?", "der Tisch, Stuhl, Bett"),
    ("Was hat viele Blätter und ist doch kein Baum?", "das Buch, Heft"),
    ("Was zerbricht, wenn man seinen Namen sagt?", "die Stille, Schweigen"),
    ("Was folgt dir in der Sonne und ist im Dunkeln weg?", "dein Schatten"),
    ("Was hat Tasten, aber keine Taschen?", "das Klavier, Tastatur, Computer"),
];
// @end

// @include german

const GERMAN: &[&str] = &[
    "witz", "witze", "witziges", "lustiges", "erzähl", "erzähle", "erzählst", "lachen", "rätsel", "fakt", "wissenswertes",
    "interessantes", "spannendes", "wusstest", "kennst", "nenn", "nenne", "ich", "mach", "mal", "stell", "stelle", "ein",
];
