"""What items can be about: eighteen things that a judge may overlook or make too much of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CONCEPTS", "Concept"]


@dataclass(frozen=True, slots=True)
class Concept:
    """Something a judge may overlook or make too much of.

    Attributes:
        name: a short name.
        topic: the word by which the text of an item is recognised.
        keywords: regular expression of the words by which an instruction about it is recognised.
        looks_at: what is to be checked, as in "check ...".
        fault: what makes an answer bad, as in "reject the answer when ...".
        harmless: what does not, as in "accept ...".
        question, context, bad, good: texts of an item; ``{n}``, ``{m}``, ``{who}`` and ``{city}`` are filled in.
    """

    name: str
    topic: str
    keywords: str
    looks_at: str
    fault: str
    harmless: str
    question: str
    context: str
    bad: str
    good: str


CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "quantities",
        "invoice",
        "numbers?|amounts?|units?",
        "every number, amount and unit",
        "a number or a unit differs from the context",
        "rounded numbers",
        "How much is it, {who}?",
        "The invoice is for {n}.4 kg at {m} EUR.",
        "The invoice is for {n}.4 tonnes at {m} EUR.",
        "The invoice is for about {n} kg at {m} EUR.",
    ),
    Concept(
        "names",
        "directory",
        r"names?|persons?|compan\w+",
        "every person and company",
        "a name belongs to another person or company",
        "shortened names",
        "Who runs office {n}?",
        "The directory lists {who} for office {n} in {city}.",
        "The directory lists {city} Holding for office {n}.",
        "The directory lists Mx {who} for that office.",
    ),
    Concept(
        "dates",
        "timetable",
        "dates?|durations?",
        "dates and durations",
        "a date or a duration is wrong",
        "a date in another format",
        "When does it start in {city}?",
        "The timetable says {n} May, for {m} days.",
        "The timetable says {n} June, for {m} weeks.",
        "The timetable says 2025-05-{n}.",
    ),
    Concept(
        "negation",
        "leaflet",
        "negations?|denials?|double negatives?",
        "negations",
        "a denial becomes an affirmation",
        "a double negative that says the same",
        "May {who} take it?",
        "The leaflet says not to take it with {n} ml of milk.",
        "The leaflet says to take it with {n} ml of milk.",
        "The leaflet does not say that milk is all right.",
    ),
    Concept(
        "scope",
        "survey",
        r"scope|generalis\w+",
        "the scope of each statement",
        "the answer generalises from some to all: its scope is too wide",
        "a generalisation that is warranted",
        "What do people in {city} think?",
        "In the survey {n} of {m} said some trains are late.",
        "The survey says that all trains are late.",
        "The survey says that a part of the trains are late.",
    ),
    Concept(
        "certainty",
        "forecast",
        r"certain(?:ty)?|possibilit\w+|cautious",
        "how certain each statement is",
        "a possibility is told as certain",
        "cautious wording",
        "Will it rain in {city}?",
        "The forecast sees rain as possible on day {n}.",
        "The forecast sees rain on day {n}, definitely.",
        "The forecast might, perhaps, see rain on day {n}.",
    ),
    Concept(
        "conditions",
        "warranty",
        "conditions?|exceptions?|omissions?",
        "conditions and exceptions",
        "a condition or an exception is missing",
        "omissions that change nothing",
        "Is {who} covered?",
        "The warranty runs {n} months unless it was opened in {city}.",
        "The warranty runs {n} months.",
        "The warranty runs {n} months if nobody opened it.",
    ),
    Concept(
        "additions",
        "museum",
        r"additions?|invent\w*|common knowledge",
        "additions",
        "the answer invents something",
        "common knowledge",
        "What is in the museum of {city}?",
        "The museum of {city} holds {n} paintings.",
        "The museum holds {n} paintings, and a whale on floor {m}.",
        "The museum holds {n} paintings, made with paint.",
    ),
    Concept(
        "causes",
        "outage",
        r"caus\w+",
        "causes and effects",
        "a cause is made up or swapped with its effect",
        "a causal link that is implied",
        "Why did {city} go dark?",
        "The outage came after {n} cm of snow.",
        "The outage brought {n} cm of snow.",
        "The outage was a matter of {n} cm of snow.",
    ),
    Concept(
        "comparisons",
        "laptop",
        r"compar\w+|rankings?",
        "comparisons and rankings",
        "a comparison is the wrong way round",
        "a comparison in other words",
        "Which one should {who} buy?",
        "The laptop {n} is faster than the laptop {m}.",
        "The laptop {m} is faster than the laptop {n}.",
        "The laptop {m} is slower than the other.",
    ),
    Concept(
        "sequence",
        "recipe",
        "steps?|sequence",
        "the sequence of steps",
        "steps are in the wrong sequence",
        "steps told in one go",
        "What does {who} do first?",
        "The recipe says to soak for {n} h, then boil for {m} min.",
        "The recipe says to boil for {m} min, then soak.",
        "The recipe says to boil once it was soaked.",
    ),
    Concept(
        "meaning",
        "proverb",
        r"paraphras\w+|synonyms?|meaning",
        "the meaning behind each paraphrase",
        "a paraphrase changes the meaning",
        "synonyms",
        "What did {who} say?",
        "The proverb of {city} has it that {n} cooks spoil the soup.",
        "The proverb has it that cooks are spoilt by soup.",
        "The proverb has it that too many at the stove ruin it.",
    ),
    Concept(
        "declining",
        "hotline",
        r"declin\w+|honest\w*",
        "whether the answer declines",
        "the answer declines although it could be given",
        "an honest statement that nothing is said about it",
        "Can {who} call on Sunday?",
        "The hotline is open {n} hours a day in {city}.",
        "The hotline has hours nobody can tell.",
        "The hotline is open {n} hours; of Sunday nothing is said.",
    ),
    Concept(
        "relevance",
        "brochure",
        "another question|asides?|off.topic",
        "whether the answer is off topic",
        "it answers another question",
        "asides after a full answer",
        "What does a room in {city} cost?",
        "The brochure says {n} EUR, breakfast from {m}.",
        "The brochure says breakfast is from {m}.",
        "The brochure says {n} EUR. {city} is lovely, too.",
    ),
    Concept(
        "quotations",
        "interview",
        "quotations?",
        "quotations",
        "a quotation was altered",
        "a quotation without its marks",
        "What did {who} promise?",
        'In the interview {who} said: "{n} jobs by spring".',
        'In the interview {who} said: "{m} jobs for ever".',
        "In the interview {who} promised {n} jobs by spring.",
    ),
    Concept(
        "style",
        "blog",
        r"styles?|vague\w*|informal\w*",
        "vague statements",
        "it is vague where something definite was asked",
        "an informal style",
        "How was the trip of {who}?",
        "The blog tells of {n} days in {city}, {m} of them wet.",
        "The blog tells of some things somewhere.",
        "The blog goes: {n} days, yay, {city} rocks.",
    ),
    Concept(
        "consistency",
        "minutes",
        r"contradict\w*|consisten\w+|corrections?",
        "whether the answer is consistent",
        "the answer contradicts itself",
        "corrections that it makes itself",
        "What was decided in {city}?",
        "The minutes record {n} votes for and {m} against.",
        "The minutes record {n} for; nobody was for it.",
        "The minutes record {m} for, sorry, {n} for.",
    ),
    Concept(
        "places",
        "map",
        "places?|regions?",
        "places",
        "a place is mixed up with another",
        "a region instead of a place",
        "Where is the depot of {who}?",
        "The map shows depot {n} in {city}, at road {m}.",
        "The map shows depot {n} overseas.",
        "The map shows depot {n} around {city}.",
    ),
)
