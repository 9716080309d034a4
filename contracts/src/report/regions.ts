import { type Country, US_STATES } from "./words.ts";

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
