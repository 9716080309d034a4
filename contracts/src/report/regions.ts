import { COUNTRIES, type Country, US_STATES } from "./words.ts";

/** The states, the federal district and the territories of the United States, by postal code. */
const US_REGIONS = {
  ...US_STATES,
  AS: "American Samoa",
  DC: "District of Columbia",
  GU: "Guam",
  MP: "Northern Mariana Islands",
  PR: "Puerto Rico",
  VI: "U.S. Virgin Islands",
} as const;

const CA_REGIONS = {
  AB: "Alberta",
  BC: "British Columbia",
  MB: "Manitoba",
  NB: "New Brunswick",
  NL: "Newfoundland and Labrador",
  NS: "Nova Scotia",
  NT: "Northwest Territories",
  NU: "Nunavut",
  ON: "Ontario",
  PE: "Prince Edward Island",
  QC: "Quebec",
  SK: "Saskatchewan",
  YT: "Yukon",
} as const;

const AU_REGIONS = {
  ACT: "Australian Capital Territory",
  NSW: "New South Wales",
  NT: "Northern Territory",
  QLD: "Queensland",
  SA: "South Australia",
  TAS: "Tasmania",
  VIC: "Victoria",
  WA: "Western Australia",
} as const;

/** Names of a country's regions by their codes. The United Kingdom has no list. */
export const REGIONS: Readonly<Record<Country, Readonly<Record<string, string>>>> = {
  US: US_REGIONS,
  CA: CA_REGIONS,
  UK: {},
  AU: AU_REGIONS,
};

/** What a region is called there, and how its codes look. */
const REGION_WORDS: Readonly<Record<Country, { label: string; code: RegExp; letters: string }>> = {
  US: { label: "State", code: /^[A-Z]{2}$/, letters: "two capital letters" },
  CA: { label: "Province or territory", code: /^[A-Z]{2}$/, letters: "two capital letters" },
  UK: { label: "County or region", code: /^/, letters: "" },
  AU: {
    label: "State or territory",
    code: /^[A-Z]{2,3}$/,
    letters: "two or three capital letters",
  },
};

/** The country that a report names; the United States when it names none. */
export function countryOf(value: unknown): Country {
  return Object.hasOwn(COUNTRIES, String(value)) ? (value as Country) : "US";
}

/** "State" in the United States, "County or region" in the United Kingdom. */
export function regionLabel(country: Country): string {
  return REGION_WORDS[country].label;
}

/** "ZIP" in the United States, "Postal code" elsewhere. */
export function postalCodeLabel(country: Country): string {
  return country === "US" ? "ZIP" : "Postal code";
}

/** Name of a region for people: "Ontario" for ON; a text that is no code of the list as it is. */
export function regionName(country: Country, region: string): string {
  const regions = REGIONS[country];
  return Object.hasOwn(regions, region) ? (regions[region] as string) : region;
}

/** The code of what was typed: of "on" and "Ontario" alike. Any other text stays as it is. */
export function regionCode(country: Country, typed: string): string {
  const wanted = typed.trim().toLowerCase();
  const found = Object.entries(REGIONS[country]).find(
    ([code, name]) => code.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  return found?.[0] ?? typed;
}

/** What is wrong with a region: where its country has a list, it must be a code of it. */
export function regionProblem(country: Country, region: string): string | undefined {
  const regions = REGIONS[country];
  if (Object.keys(regions).length === 0 || Object.hasOwn(regions, region)) return undefined;
  const { label, code, letters } = REGION_WORDS[country];
  const word = label.toLowerCase();
  if (!code.test(region)) return `Enter the ${word} as ${letters}`;
  const there = country === "US" ? "the United States" : COUNTRIES[country];
  return `There is no ${word} ${region} in ${there}`;
}
