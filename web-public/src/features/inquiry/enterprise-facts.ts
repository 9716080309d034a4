import type { PLANS } from "#contracts/inquiry/inquiry-forms.ts";

type Facts = readonly (readonly [string, string])[];

export const FEATURES: Facts = [
  ["Search by API", "Names, places, amounts and reasons, with the same results as this site."],
  ["Repeat offenders", "How many approved reports are about one person, and what they add up to."],
  [
    "Always current",
    "A report is found within seconds of its approval, and gone with its removal.",
  ],
  ["Masked as here", "Email, phone and card stay masked: you compare, and nobody is exposed."],
];

export const USE_CASES: Facts = [
  ["Before you ship", "Look a buyer up while the order is still in the warehouse."],
  ["Checks at the till", "See whether somebody has passed bad checks before you accept one."],
  ["Disputes", "Find out whether a customer has disputed charges elsewhere, for your evidence."],
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
    more: ["Search by API", "Support by mail"],
  },
  enterprise: {
    price: "$999 per month",
    calls: "100,000 calls a month",
    more: ["Everything in Professional", "Help with connecting your systems"],
  },
  enterprise_plus: {
    price: "Custom price",
    calls: "Unlimited calls",
    more: ["Everything in Enterprise", "Terms of your own"],
  },
};
