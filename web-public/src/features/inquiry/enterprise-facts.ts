import type { PLANS } from "#contracts/inquiry/inquiry-forms.ts";

type Facts = readonly (readonly [string, string])[];

export const FEATURES: Facts = [
  ["Search by API", "Names, places, amounts and reasons, with the same results as this site."],
  ["Repeat offenders", "Report counts and total amounts for each person."],
  [
    "Always current",
    "You can find a report within seconds of its approval. It's gone as soon as it's removed.",
  ],
  [
    "Private by default",
    "Email, phone and card stay masked. You compare them without exposing anyone.",
  ],
];

export const USE_CASES: Facts = [
  ["Before you ship", "Look up a buyer while the order is still in the warehouse."],
  ["Checks at the register", "See whether someone has passed bad checks before you accept one."],
  [
    "Disputes",
    "Find out whether a customer has disputed charges with other merchants, to support your case.",
  ],
];

interface PlanFacts {
  readonly price: string;
  readonly calls: string;
  readonly more: readonly string[];
}

export const PLAN_FACTS: Readonly<Record<keyof typeof PLANS, PlanFacts>> = {
  professional: {
    price: "$299 per month",
    calls: "10,000 calls a month",
    more: ["Search by API", "Email support"],
  },
  enterprise: {
    price: "$999 per month",
    calls: "100,000 calls a month",
    more: ["Everything in Professional", "Help connecting your systems"],
  },
  enterprise_plus: {
    price: "Custom price",
    calls: "Unlimited calls",
    more: ["Everything in Enterprise", "Custom terms"],
  },
};
