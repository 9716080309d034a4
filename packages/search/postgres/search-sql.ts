import { isPart, type QueryWord, TIERS, type Tier } from "../matching.ts";
import { hasText, isDescending, isRanked, ORDERS, type SearchPlan } from "../search-plan.ts";
import { anyLexeme } from "./writes.ts";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Collects parameters; equal strings share one. */
class Parameters {
  readonly values: unknown[] = [];
  readonly #strings = new Map<string, string>();

  add(value: string | number | readonly string[]): string {
    const key = JSON.stringify(value);
    const known = this.#strings.get(key);
    if (known) return known;
    const name = `$${this.values.push(value)}`;
    this.#strings.set(key, name);
    return name;
  }

  terms(terms: readonly string[], table = "d"): string {
    return `${table}.terms @@ ${this.add(anyLexeme(terms))}::tsquery`;
  }

  /** Safe without escaping, since the word consists of letters and digits only. */
  contains(column: "search_text" | "name_text", word: QueryWord, table = "d"): string {
    return `${table}.${column} like ${this.add(`%${word.text}%`)}::text`;
  }
}

const COLUMNS = `d.id, d.first_name, d.last_name, d.title, d.description, d.city,
  d.amount_cents, d.submitted_ms`;

/**
 * Returns the statements that begin the transaction of a search. Every word is found through an index. The
 * planner would rather read the whole table: it treats the variants of a name as independent, and so
 * overestimates how many rows match. The settings prevent that.
 */
export function beginSearch(plan: SearchPlan, timeoutMs: number): string {
  const isIndexed = hasText(plan);
  return `begin read only; set local jit = off; set local work_mem = '32MB';
    set local statement_timeout = ${timeoutMs};
    set local enable_seqscan = ${isIndexed ? "off" : "on"}`;
}

/** Counts the matches and returns the page in one pass if there are at most `cap`; otherwise only counts. */
export function countedPage(schema: string, plan: SearchPlan, cap: number): Statement {
  const p = new Parameters();
  const ranked = isRanked(plan) ? ", d.name_text, d.search_text, d.terms" : "";
  const text = `
    with matched as materialized (
      select d.id, d.submitted_ms, d.amount_cents ${ranked}
      from ${schema}.documents d
      where ${matches(plan, p)}
      limit ${p.add(cap + 1)}
    ), page as (
      select r.id, r.negative_rank from (
        select m.id, m.submitted_ms, m.amount_cents, ${rank(plan, p, "m")} as negative_rank
        from matched m ${tierColumns(plan, p, "m")}
        where (select count(*) from matched) <= ${p.add(cap)}
      ) r
      where ${seek(plan, p, "r")} order by ${orderBy(plan, "r")} ${window(plan, p)}
    )
    select (select count(*) from matched)::int as total, page.negative_rank,
      ${byBlind(plan, p)} as by_blind, ${held(plan, p)} as held, ${COLUMNS}
    from (values (1)) one left join page on true left join ${schema}.documents d on d.id = page.id
    order by ${orderBy(plan, "d", "page.negative_rank")}`;
  return { text, values: p.values };
}

/** Returns only the page, read in order, for when there are more matches than are counted. */
export function uncountedPage(schema: string, plan: SearchPlan): Statement {
  const p = new Parameters();
  const page =
    plan.order === ORDERS.relevance ? rankedPage(schema, plan, p) : sortedPage(schema, plan, p);
  const text = `
    with page as (${page})
    select page.negative_rank, ${byBlind(plan, p)} as by_blind, ${held(plan, p)} as held, ${COLUMNS}
    from page join ${schema}.documents d on d.id = page.id
    order by ${orderBy(plan, "d", "page.negative_rank")}`;
  return { text, values: p.values };
}

function sortedPage(schema: string, plan: SearchPlan, p: Parameters): string {
  return `select d.id, 0 as negative_rank from ${schema}.documents d
    where ${matches(plan, p)} and ${seek(plan, p, "d")}
    order by ${orderBy(plan, "d")} ${window(plan, p)}`;
}

/**
 * When many documents match, most match by their text alone and share one rank. Those are read in
 * the order of `newest`; only documents that match by their name are ranked and sorted. If enough
 * of them come first, the others are not read at all.
 */
function rankedPage(schema: string, plan: SearchPlan, p: Parameters): string {
  const words = plan.text.words;
  const named = [
    ...(plan.blindTerms.length > 0 ? [p.terms(plan.blindTerms)] : []),
    ...words.flatMap((word) => [
      ...(nameTermsOf(word).length > 0 ? [p.terms(nameTermsOf(word))] : []),
      ...(isPart(word) ? [p.contains("name_text", word)] : []),
    ]),
  ];
  const isNamed = any(named);
  const byText = -TIERS.indexOf("text") * (100 + words.length);
  const reach = p.add(plan.offset + plan.size + 1);
  const isFirst = isDescending(plan, plan.cursor) ? ">" : "<";
  return `
    with named as materialized (
      select * from (
        select d.id, d.submitted_ms, ${rank(plan, p, "d")} as negative_rank
        from ${schema}.documents d ${tierColumns(plan, p, "d")}
        where ${matches(plan, p)} and ${isNamed}
      ) m where ${seek(plan, p, "m")} order by ${orderBy(plan, "m")} limit ${reach}
    )
    select * from (
      select * from named
      union all
      (select d.id, d.submitted_ms, ${byText} as negative_rank from ${schema}.documents d
      where ${matches(plan, p)} and not ${isNamed} and ${seekBehind(byText, plan, p)}
        and (select count(*) from named where negative_rank ${isFirst} ${byText}) < ${reach}
      order by ${orderBy({ ...plan, order: ORDERS.newest }, "d")} limit ${reach})
    ) m order by ${orderBy(plan, "m")} ${window(plan, p)}`;
}

function matches(plan: SearchPlan, p: Parameters): string {
  const conditions: string[] = [];
  if (hasText(plan)) conditions.push(`(${matchesText(plan, p)})`);
  if (plan.state !== undefined) conditions.push(`d.state = ${p.add(plan.state)}`);
  if (plan.country !== undefined) conditions.push(`d.country = ${p.add(plan.country)}`);
  if (plan.minCents !== undefined) conditions.push(`d.amount_cents >= ${p.add(plan.minCents)}`);
  if (plan.maxCents !== undefined) conditions.push(`d.amount_cents <= ${p.add(plan.maxCents)}`);
  if (plan.reasonCodes) conditions.push(`d.reasons && ${p.add(plan.reasonCodes)}::text[]`);
  return conditions.length > 0 ? conditions.join(" and ") : "true";
}

function matchesText(plan: SearchPlan, p: Parameters): string {
  const words = plan.text.words.map((word) => {
    const terms = [...nameTermsOf(word), ...word.fuzzy, ...word.tokens];
    return any([
      ...(isPart(word) ? [p.contains("search_text", word)] : []),
      ...(terms.length > 0 ? [p.terms(terms)] : []),
    ]);
  });
  const ways: string[] = [];
  if (words.length > 0) ways.push(words.join(" and "));
  if (plan.blindTerms.length > 0) ways.push(p.terms(plan.blindTerms));
  return ways.length > 0 ? ways.join(" or ") : "false";
}

function any(conditions: readonly string[]): string {
  return conditions.length > 0 ? `(${conditions.join(" or ")})` : "false";
}

/** For each word, whether the texts of the row contain it. */
function held(plan: SearchPlan, p: Parameters): string {
  return `array[${plan.text.words.map((word) => holds(word, p, "d")).join(", ")}]::boolean[]`;
}

function holds(word: QueryWord, p: Parameters, table: string): string {
  return any([
    ...(isPart(word) ? [p.contains("search_text", word, table)] : []),
    ...(word.tokens.length > 0 ? [p.terms(word.tokens, table)] : []),
  ]);
}

function nameTermsOf(word: QueryWord): string[] {
  return [...word.exact, ...word.nickname, ...word.phonetic];
}

function byBlind(plan: SearchPlan, p: Parameters): string {
  return plan.blindTerms.length > 0 ? p.terms(plan.blindTerms) : "false";
}

/** Adds the words' tiers to a row as t0, t1, ...; `offset 0` prevents computing each twice. */
function tierColumns(plan: SearchPlan, p: Parameters, table: string): string {
  if (!isRanked(plan)) return "";
  const columns = plan.text.words.map((word, i) => `${tier(word, p, table)} as t${i}`);
  return `cross join lateral (select ${columns.join(", ")} offset 0) t`;
}

/** Computes what `rankOf` does, negated, so that the best rank and the newest both come first. */
function rank(plan: SearchPlan, p: Parameters, table: string): string {
  if (!isRanked(plan)) return "0";
  const tiers = plan.text.words.map((_, i) => `t.t${i}`);
  const byText = `-(greatest(${tiers.join(", ")}) * 100 + ${tiers.join(" + ")})`;
  if (plan.blindTerms.length === 0) return byText;
  return `case when ${p.terms(plan.blindTerms, table)} then 0 else ${byText} end`;
}

/** Computes what `tiersOf` does for one word, for a document that is known to match. */
function tier(word: QueryWord, p: Parameters, table: string): string {
  const cases: string[] = [];
  const when = (condition: string, name: Tier) =>
    cases.push(`when ${condition} then ${TIERS.indexOf(name)}`);
  for (const name of ["exact", "nickname", "phonetic"] as const) {
    if (word[name].length > 0) when(p.terms(word[name], table), name);
  }
  if (isPart(word)) when(p.contains("name_text", word, table), "name_part");
  if (word.fuzzy.length > 0) {
    when(`${p.terms(word.fuzzy, table)} and not ${holds(word, p, table)}`, "fuzzy");
  }
  const text = TIERS.indexOf("text");
  return cases.length > 0 ? `case ${cases.join(" ")} else ${text} end` : String(text);
}

/** Restricts the rows to those beyond the cursor. */
function seek(plan: SearchPlan, p: Parameters, table: string): string {
  const { cursor, order } = plan;
  if (!cursor) return "true";
  const columns = [...order.values, "id"].map((column) => `${table}.${column}`).join(", ");
  const values = cursor.values.map((value) => `${p.add(value)}::bigint`);
  const sign = isDescending(plan, cursor) ? "<" : ">";
  const equal = cursor.inclusive ? "=" : "";
  return `(${columns}) ${sign}${equal} (${[...values, `${p.add(cursor.id)}::text`].join(", ")})`;
}

/** Does the same among rows of one rank, where an index in the order of `newest` can start at the cursor. */
function seekBehind(negativeRank: number, plan: SearchPlan, p: Parameters): string {
  const { cursor } = plan;
  if (!cursor) return "true";
  const [at = 0, ...values] = cursor.values;
  if (at !== negativeRank) return String(at > negativeRank === isDescending(plan, cursor));
  return seek({ ...plan, order: ORDERS.newest, cursor: { ...cursor, values } }, p, "d");
}

/** Returns the order in which rows are read. A page that is read backward is reversed afterward. */
function orderBy(plan: SearchPlan, table: string, rankColumn = `${table}.negative_rank`): string {
  const way = isDescending(plan, plan.cursor) ? "desc" : "asc";
  return [...plan.order.values, "id"]
    .map((column) => `${column === "negative_rank" ? rankColumn : `${table}.${column}`} ${way}`)
    .join(", ");
}

function window(plan: SearchPlan, p: Parameters): string {
  return `limit ${p.add(plan.size + 1)} offset ${p.add(plan.offset)}`;
}
