import type { RegistryStats } from "#contracts/http/analytics.ts";
import type {
  Article,
  ContentPage,
  FaqItem,
  PostPage,
  SiteFacts,
} from "#contracts/http/content.ts";
import type { ReportDetail, SearchHit } from "#contracts/http/report-view.ts";
import type { HabitualOffender, OffenderPage, SearchResult } from "#contracts/http/reports.ts";

export function aReport(change: Partial<ReportDetail> = {}): ReportDetail {
  return {
    id: "0f9619ff-8b86-4d11-b42d-00c04fc964ff",
    report_type: "chargeback",
    seo_title: "quinn-harper",
    first_name: "Quinn",
    last_name: "Harper",
    title: "Disputed a delivered order",
    description: "Ordered two watches, signed for the parcel, and disputed the payment.",
    email: "q***@***",
    phone: "(***) ***-****",
    city: "Denver",
    state: "CO",
    country: "US",
    currency: "USD",
    amount: 412.5,
    chargeback_fee: 25,
    total_due: 437.5,
    transaction_date: "2026-03-02",
    chargeback_date: "2026-04-11",
    chargeback_reason: "product_not_received",
    shipping_status: "shipped",
    resolution_status: "unresolved",
    status: "approved",
    verified: true,
    resolved: false,
    public_username: "Alpine Watches",
    created_at: "2026-05-02T09:30:00.000Z",
    approved_at: "2026-05-03T10:00:00.000Z",
    updated_at: "2026-05-03T10:00:00.000Z",
    timestamp: 1_777_714_200,
    view_count: 42,
    rebuttal_count: 0,
    report_count: 1,
    is_habitual_offender: false,
    tracking_number: "1Z999AA10123456784",
    first_6: "411111",
    last_4: "1234",
    chargebacks: [],
    evidence: [],
    check_image_url: null,
    other_reports: [],
    ...change,
  };
}

export function aHit(change: Partial<SearchHit> = {}): SearchHit {
  const { other_reports, chargebacks, ...summary } = aReport();
  return { ...summary, ...change };
}

export function anOffender(change: Partial<HabitualOffender> = {}): HabitualOffender {
  return {
    first_name: "Morgan",
    last_name: "Vale",
    report_count: 3,
    total_amount: 2140,
    totals: [{ currency: "USD", amount: 2140 }],
    shares: ["email", "card"],
    latest_report: {
      title: "Third order disputed after delivery",
      description: "The parcel was signed for. The buyer disputed the payment a month later.",
      city: "Austin",
      state: "TX",
      country: "US",
      seo_title: "morgan-vale-3",
      created_at: "2026-05-01T08:00:00.000Z",
      resolution_status: "in_progress",
      resolved: false,
    },
    ...change,
  };
}

export function anOffenderPage(change: Partial<OffenderPage> = {}): OffenderPage {
  const { reports: _, ...paged } = aResult();
  return { ...paged, offenders: [anOffender()], ...change };
}

/** The registry's totals. */
export const FIGURES: RegistryStats = {
  reports: 1234,
  people: 987,
  totals: [
    { currency: "EUR", amount: 20.5 },
    { currency: "USD", amount: 98_765.43 },
  ],
  newest_at: "2026-05-02T09:30:00.000Z",
};

export const FAQ: readonly FaqItem[] = [
  { id: "what", question: "What is the registry?", answer: "<p>A list.</p>\n", order: 1 },
  {
    id: "cost",
    question: "What does it cost?",
    answer: "<p><strong>Free</strong>.</p>\n",
    order: 2,
  },
];

export function aText(slug: string): ContentPage {
  return {
    slug,
    title: `About ${slug}`,
    description: `What the registry says about ${slug}, in one sentence.`,
    version: "2026-11-21",
    effective_date: "2026-11-21",
    html: `<h2 id="first">1. First</h2>\n<p>Words of ${slug}.</p>\n`,
  };
}

export function anArticle(change: Partial<Article> = {}): Article {
  return {
    id: "5b1c6f7e-30a4-4c0e-8c52-2f5b7f0f1a11",
    slug: "what-changed",
    title: "What changed in May",
    description: "Search by phone number, and a page for every post.",
    html: "<p>Search by <strong>phone</strong>.</p>\n",
    published_at: "2026-05-02T09:30:00.000Z",
    updated_at: "2026-05-02T09:30:00.000Z",
    view_count: 42,
    ...change,
  };
}

export function aPostPage(change: Partial<PostPage> = {}): PostPage {
  const { slug, title, description, published_at } = anArticle();
  const posts = [{ slug, title, description, published_at }];
  return { posts, total: posts.length, page: 1, pages: 1, ...change };
}

export const SITE_FACTS: SiteFacts = {
  pages: [],
  terms_version: "2026-11-21",
  max_file_size: 10,
};

export function aResult(change: Partial<SearchResult> = {}): SearchResult {
  const reports = change.reports ?? [aHit()];
  return {
    reports,
    total: reports.length,
    total_capped: false,
    page: 1,
    pages: reports.length > 0 ? 1 : 0,
    next: null,
    previous: null,
    ...change,
  };
}

/** A call that reached the fake registry. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface FakeReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Response of a fake route; `undefined` for a refused connection. */
export type Answer = FakeReply | undefined | ((call: Call) => FakeReply | undefined);

/** Creates a successful reply with `data`, in the contract's format. */
export function ok(data: unknown, headers: Record<string, string> = {}): FakeReply {
  return { status: 200, body: { success: true, data }, headers };
}

/** Creates an error reply in the contract's format. */
export function refusal(
  status: number,
  code: string,
  message: string,
  fields?: Record<string, string>,
  headers: Record<string, string> = {},
): FakeReply {
  const error = fields ? { code, message, fields } : { code, message };
  return { status, body: { success: false, error }, headers };
}

/**
 * A fake registry, which responds by method and path (`GET /prod/api/reports/recent`) and records every call. A
 * call that the test did not expect fails.
 */
export function fakeRegistry(answers: Readonly<Record<string, Answer>> = {}) {
  const routes: Record<string, Answer> = {
    "GET /prod/api/reports/recent": ok([aHit()]),
    "GET /prod/api/habitual-offenders": ok([anOffender()]),
    "GET /prod/api/reports/search": ok(aResult()),
    "GET /prod/api/faq": ok(FAQ),
    "GET /prod/api/posts": ok(aPostPage()),
    "GET /prod/api/site": ok(SITE_FACTS),
    "GET /prod/api/figures": ok(FIGURES),
    "GET /prod/api/habitual-offenders/all": ok(anOffenderPage()),
    ...Object.fromEntries(
      ["terms", "privacy", "disclaimer", "dmca"].map((slug) => [
        `GET /prod/api/content/${slug}`,
        ok(aText(slug)),
      ]),
    ),
    ...answers,
  };
  const calls: Call[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const text = await request.text();
    const call: Call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text ? JSON.parse(text) : undefined,
    };
    calls.push(call);
    const key = `${call.method} ${call.path}`;
    if (!Object.hasOwn(routes, key)) throw new Error(`The fake registry has no route ${key}`);
    const answer = routes[key];
    const reply = typeof answer === "function" ? answer(call) : answer;
    if (!reply) throw new TypeError("fetch failed");
    const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {});
    return new Response(body, {
      status: reply.status ?? 200,
      headers: { "content-type": "application/json", ...reply.headers },
    });
  };
  return { fetch, calls };
}
