import { type FoundPlace, matchesOf } from "./found-place.ts";

/** Words that end a street's name and nothing else. */
const CLEAR =
  "street|avenue|ave|boulevard|blvd|lane|road|rd|parkway|pkwy|expressway|turnpike|terrace|crescent|highway|hwy";
/** Words that also end other names, so that the name must be written like one. */
const CAPITAL =
  "St|Street|Ave|Avenue|Av|Blvd|Boulevard|Ln|Lane|Rd|Road|Dr|Drive|Ct|Court|Pl|Place|Plaza|Sq|Square|Ter|Terrace|Cir|Circle|Trl|Trail|Pkwy|Parkway|Way|Loop|Run|Row|Hwy|Highway|Close|Crescent|Cres|Gardens|Grove|Mews|Alley|Walk|Path|Pike|Crossing|Ridge|Point|Cove|Hill|Parade|Pde|Quay|Esplanade|Heights|Gate|Rise|Bend|Trace|Circuit|Cct|Causeway|Freeway|Fwy|Bypass|Park";
const TAIL =
  "(?:\\.|\\b)(?: (?:N|S|E|W|NE|NW|SE|SW)\\b\\.?)?(?:,? (?:[Aa]pt|APT|[Aa]partment|[Uu]nit|UNIT|[Ss]uite|[Ss]te|STE|[Ff]loor|[Ff]l|[Rr]oom|[Rr]m|[Ff]lat|#)\\.? ?#?[A-Za-z\\d-]{1,6}\\b)?";
/** City, state and ZIP code after a street. */
const CITY = "(?:,? (?:[A-Z][A-Za-z.'-]{1,20} ?){1,3},? [A-Z]{2},? \\d{5}(?:-\\d{4})?(?!\\d))?";
const NUMBER =
  "(?<![\\w$\\u20ac\\u00a3#/.,-])(?:\\d{1,4}\\/)?\\d{1,6}(?:-\\d{1,5})?(?:[A-Za-z]| 1/2)?";
const UNIT =
  "(?: (?!TB|GB|MB|KB)(?:(?:N|S|E|W|NE|NW|SE|SW)\\.?|[A-Z][\\p{L}'.-]{1,24}|\\d{1,3}(?:st|nd|rd|th)|(?:de|la|los|las|del|of|the)(?= )))";
/** Words that are no street's name. */
const OTHER =
  "(?:of|on|in|to|at|off|for|from|per|and|the|a|an|days?|weeks?|hours?|minutes?|months?|years?|times?|items?|units?|miles?|km|blocks?|orders?|boxes|pairs?|pcs|pieces|x|more|lane|way|by|with|is|was|were|other|different|usd|dollars?)";
const PLAIN_NAME = `(?!${OTHER} )[a-z\\d'.-]{2,20}`;

const STREETS: readonly RegExp[] = [
  new RegExp(`(${NUMBER}(?:,)?${UNIT}{1,4} (?:${CAPITAL})${TAIL}${CITY})`, "dgu"),
  new RegExp(
    `(${NUMBER} (?:(?:n|s|e|w|north|south|east|west)\\.? )?${PLAIN_NAME}(?: ${PLAIN_NAME})? (?:${CLEAR}|st)${TAIL})`,
    "dgiu",
  ),
  // All in capitals.
  new RegExp(
    `(${NUMBER}(?: [NSEW]\\.?)?(?: (?!${OTHER.toUpperCase()} )[A-Z\\d'.-]{2,24}){1,2} (?:${CAPITAL.toUpperCase()})${TAIL}${CITY})`,
    "dgu",
  ),
  // 1200 Broadway, 4400 Highway 9, 880 County Road 12.
  new RegExp(
    `(${NUMBER} (?:[NSEW]\\.? )?(?:(?:Old |US |State |County )?(?:Highway|Hwy|Route|Rte|County Road|State Road|FM) \\d{1,4}\\b|Broadway\\b)${TAIL}${CITY})`,
    "dgu",
  ),
  // P.O. Box 12.
  /(?<![a-z])(p\.? ?o\.? ?box \d{1,6})(?!\d)/dgi,
  // 12 rue de Rivoli, 5 place du Marche.
  /(?<![\w$.,-])(\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|boul\.|bd\.?|chemin|ch\.|impasse|all\u00e9e|place|quai|cours|rang) (?:(?:de|du|des|la|le|les|l'|d')[ ]?){0,2}\p{Lu}[\p{L}'-]{1,24}(?:[ -]\p{Lu}[\p{L}'-]{1,24}){0,2})/dgu,
  // Hauptstrasse 12, Am Markt is not found.
  /(?<![\p{L}])(\p{Lu}[\p{L}-]{2,30}(?:stra\u00dfe|strasse|str\.|gasse|weg|platz|allee|straat|laan|gatan|vej)\.? \d{1,4} ?[a-z]?)(?![\p{L}\d])/dgu,
  // Calle Mayor 5, Via Roma, 12.
  /(?<![\p{L}])((?:Calle|C\/|Avenida|Avda\.?|Av\.|Rua|Via|Viale|Piazza|Corso|Ulica|ul\.) (?:(?:de|del|della|da|do|dos|das|la|las|los|di) ){0,2}\p{Lu}[\p{L}'-]{1,24}(?: (?:de |del |da )?\p{Lu}[\p{L}'-]{1,24}){0,2},? (?:n[\u00ba\u00b0.]? ?)?\d{1,5})(?!\d)/dgu,
];

/** Street addresses: a number with a street's name, and what follows of unit and city. */
export function* findStreets(text: string): Generator<FoundPlace> {
  for (const pattern of STREETS) yield* matchesOf("street", pattern, text);
}
