import { COUNTRIES, type Country, US_STATES } from "./words.ts";

/** US states, the federal district and the territories, by postal code. */
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

/** Names of each country's regions, by code. The United Kingdom has no list. */
export const REGIONS: Readonly<Record<Country, Readonly<Record<string, string>>>> = {
  US: US_REGIONS,
  CA: CA_REGIONS,
  UK: {},
  AU: AU_REGIONS,
};

/** Each country's word for a region, and the format of its codes. */
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

/** Returns the country that a report names; the United States if it names none. */
export function countryOf(value: unknown): Country {
  return Object.hasOwn(COUNTRIES, String(value)) ? (value as Country) : "US";
}

/** Returns "State" for the United States, "County or region" for the United Kingdom. */
export function regionLabel(country: Country): string {
  return REGION_WORDS[country].label;
}

/** Returns "ZIP" for the United States, "Postal code" for other countries. */
export function postalCodeLabel(country: Country): string {
  return country === "US" ? "ZIP" : "Postal code";
}

/** Returns a region's name: "Ontario" for ON. Text that is not a code is returned unchanged. */
export function regionName(country: Country, region: string): string {
  const regions = REGIONS[country];
  return Object.hasOwn(regions, region) ? (regions[region] as string) : region;
}

/** Returns the code for a typed code or name: "on" or "Ontario". Other text is returned unchanged. */
export function regionCode(country: Country, typed: string): string {
  const wanted = typed.trim().toLowerCase();
  const found = Object.entries(REGIONS[country]).find(
    ([code, name]) => code.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  return found?.[0] ?? typed;
}

/** Returns the problem with a region: if its country has a list, it must be one of its codes. */
export function regionProblem(country: Country, region: string): string | undefined {
  const regions = REGIONS[country];
  if (Object.keys(regions).length === 0 || Object.hasOwn(regions, region)) return undefined;
  const { label, code, letters } = REGION_WORDS[country];
  const word = label.toLowerCase();
  if (!code.test(region)) return `Enter the ${word} as ${letters}`;
  const there = country === "US" ? "the United States" : COUNTRIES[country];
  return `There is no ${word} ${region} in ${there}`;
}
