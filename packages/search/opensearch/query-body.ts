import { omitUndefined } from "#contracts/omit-undefined.ts";
import { isPart, type MarkedTexts, type QueryWord, TIERS, type Tier } from "../matching.ts";
import {
  countryTerm,
  hasText,
  isDescending,
  isRanked,
  type PageCursor,
  type SearchPlan,
} from "../search-plan.ts";

type Query = Readonly<Record<string, unknown>>;

/** Name of the query part that matches by blind indexes; hits repeat it. */
export const BY_BLIND = "blind";

/** Returns the name of the query part for whether the texts contain the n-th word; hits repeat it. */
export function wordMatchName(n: number): string {
  return `held-${n}`;
}

/** Tiers that give points, best first. The remaining one, `fuzzy`, applies when no other does. */
const RANKED = TIERS.slice(0, -1);

/** Points of the best rank: a hundred for each tier of the worst word, and one for each tier of every word. */
function mostPoints(words: number): number {
  return RANKED.length * (100 + words);
}

const MARKED_TEXTS = [
  "first_name",
  "last_name",
  "title",
  "description",
  "city",
] as const satisfies readonly (keyof MarkedTexts)[];

/** Returns the body of the request: one page plus a row, and the count up to `cap + 1`. */
export function searchBody(plan: SearchPlan, cap: number) {
  return {
    from: plan.offset,
    size: plan.size + 1,
    track_total_hits: cap + 1,
    _source: MARKED_TEXTS.map((field) => `document.${field}`),
    query: {
      bool: {
        filter: [{ term: { hidden: false } }, ...filters(plan)],
        should: isRanked(plan) ? [rank(plan)] : [],
      },
    },
    sort: sorts(plan),
    ...omitUndefined({ search_after: plan.cursor && searchAfter(plan, plan.cursor) }),
  };
}

/** Returns the values of the plan's order, from those by which the hit was sorted. */
export function sortKey(plan: SearchPlan, sort: readonly unknown[]): number[] {
  return plan.order.values.map((value, i) =>
    value === "negative_rank" ? Number(sort[i]) - rankBase(plan) : Number(sort[i]),
  );
}

/** The score of rank 0. */
function rankBase(plan: SearchPlan): number {
  return isRanked(plan) ? mostPoints(plan.text.words.length) : 0;
}

function filters(plan: SearchPlan): Query[] {
  const { state, country, minCents, maxCents, reasonCodes } = plan;
  const amount = omitUndefined({ gte: minCents, lte: maxCents });
  return [
    ...(hasText(plan) ? [matchesText(plan)] : []),
    ...(state === undefined ? [] : [{ term: { state } }]),
    ...(country === undefined ? [] : [{ term: { terms: countryTerm(country) } }]),
    ...(Object.keys(amount).length > 0 ? [{ range: { amount_cents: amount } }] : []),
    ...(reasonCodes === undefined ? [] : [{ terms: { reasons: reasonCodes } }]),
  ];
}

function matchesText(plan: SearchPlan): Query {
  const { words } = plan.text;
  const found = (word: QueryWord, n: number) =>
    any([
      ...namedWays(word, "fuzzy"),
      { bool: { ...anyOf(textWays(word)), _name: wordMatchName(n) } },
    ]);
  const byText = words.length > 0 ? [all(words.map(found))] : [];
  return any([...byText, ...(plan.blindTerms.length > 0 ? [byBlind(plan)] : [])]);
}

function byBlind({ blindTerms }: SearchPlan): Query {
  return { terms: { terms: blindTerms, _name: BY_BLIND } };
}

/** The sum is a hit's points. Only the best way in which each word is found counts. */
function rank(plan: SearchPlan): Query {
  const { words } = plan.text;
  const byText = {
    bool: {
      should: [
        best(words, 100, (tier) => all(words.map((word) => found(word, tier)))),
        ...words.map((word) => best([word], 1, (tier) => found(word, tier))),
      ],
    },
  };
  if (plan.blindTerms.length === 0) return byText;
  const blind = scored(byBlind(plan), mostPoints(words.length));
  return { dis_max: { queries: [blind, byText] } };
}

function best(words: readonly QueryWord[], points: number, at: (tier: Tier) => Query): Query {
  // For words that cannot be names, the first tier that finds anything is the text.
  const tiers = RANKED.filter((tier) => words.every((word) => ways(word, tier).length > 0));
  const queries = tiers.map((tier) =>
    scored(at(tier), points * (RANKED.length - RANKED.indexOf(tier))),
  );
  return { dis_max: { queries } };
}

function scored(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost } };
}

/** Matches if the word is found in this way or a better one. */
function found(word: QueryWord, tier: Tier): Query {
  return any(ways(word, tier));
}

function ways(word: QueryWord, upTo: Tier): Query[] {
  const isText = TIERS.indexOf("text") <= TIERS.indexOf(upTo);
  return [...namedWays(word, upTo), ...(isText ? textWays(word) : [])];
}

function namedWays(word: QueryWord, upTo: Tier): Query[] {
  const has = (tier: Tier) => TIERS.indexOf(tier) <= TIERS.indexOf(upTo);
  const terms = [
    ...word.exact,
    ...(has("nickname") ? word.nickname : []),
    ...(has("phonetic") ? word.phonetic : []),
    ...(has("fuzzy") ? word.fuzzy : []),
  ];
  return [
    ...(terms.length > 0 ? [{ terms: { terms } }] : []),
    // The text contains the name as well.
    ...(has("name_part") && !has("text") && isPart(word)
      ? [{ match_phrase: { name_text: word.text } }]
      : []),
  ];
}

/** Returns ways to find a word in the texts: as a phrase of three-character n-grams, or as a token. */
function textWays(word: QueryWord): Query[] {
  return [
    ...(isPart(word) ? [{ match_phrase: { search_text: word.text } }] : []),
    ...(word.tokens.length > 0 ? [{ terms: { terms: word.tokens } }] : []),
  ];
}

function all(queries: readonly Query[]): Query {
  return { bool: { filter: queries } };
}

/** Matches any of the queries; without a query, nothing. */
function any(queries: readonly Query[]): Query {
  return queries.length > 0 ? { bool: anyOf(queries) } : { match_none: {} };
}

function anyOf(queries: readonly Query[]) {
  return { should: queries, minimum_should_match: 1 };
}

const FIELDS = {
  negative_rank: "_score",
  submitted_ms: "submitted_ms",
  amount_cents: "amount_cents",
} as const;

/** Returns the order in which rows are read. A page that is read backward is reversed afterward. */
function sorts(plan: SearchPlan) {
  const order = isDescending(plan, plan.cursor) ? "desc" : "asc";
  return [
    ...plan.order.values.map((value) => ({ [FIELDS[value]]: { order } })),
    { id: { order } },
    { tie: { order, missing: 0 } },
  ];
}

/** Returns the sort values to start after: those of the cursor's row, or just before it. */
function searchAfter(plan: SearchPlan, cursor: PageCursor): (number | string)[] {
  const values = plan.order.values.map((value, i) => {
    const key = cursor.values[i] as number;
    return value === "negative_rank" ? key + rankBase(plan) : key;
  });
  return [...values, cursor.id, isDescending(plan, plan.cursor) === cursor.inclusive ? 1 : -1];
}
