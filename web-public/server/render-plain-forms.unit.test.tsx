import { describe, expect, it } from "vitest";
import type { AnsweredInquiry } from "#contracts/http/inquiries.ts";
import type { AskedQuestion } from "#contracts/http/unsubscribe.ts";
import { TERMS_OUTDATED } from "#contracts/report/words.ts";
import { ok, refusal, SITE_FACTS } from "../testing/fake-registry.ts";
import { get } from "../testing/get-page.ts";

const SUBMIT = "POST /prod/api/reports/submit";
const VERIFY = "POST /prod/api/verify-email/tok";
const BROWSE = ["/search", "Browse Reports"] as const;
const SUBMIT_NEW = ["/report", "Submit New Report"] as const;
const IN_FORCE = SITE_FACTS.terms_version;
const KEY = "0123456789abcdef0123456789abcdef";
const FILLED = {
  idempotency_key: KEY,
  report_type: "chargeback",
  title: "Disputed a delivered order",
  description: "Signed for the parcel.\r\nThen disputed the payment.",
  first_name: "Quinn",
  last_name: "Ames",
  city: "Denver",
  state: "CO",
  zip: "80202",
  country: "US",
  last_4: "4242",
  amount: "412.50",
  currency: "USD",
  transaction_date: "2026-05-02",
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
  terms_accepted: "on",
};

const post = (
  url: string,
  fields: Record<string, string>,
  answers: Parameters<typeof get>[1] = {},
) => get(url, answers, { form: new URLSearchParams(fields).toString() });

describe("the report form without JavaScript", () => {
  it("is sent by the browser itself, under a key that the server made", async () => {
    const { html, status } = await get("/report");
    expect(status).toBe(200);
    expect(html).toContain('action="/report" method="post"');
    expect(html).toMatch(
      /<noscript><input type="hidden" name="idempotency_key" value="[0-9a-f]{32}"/,
    );
    for (const name of Object.keys(FILLED)) expect(html).toContain(`name="${name}"`);
    const check = await get("/report?type=bad_check");
    expect(check.html).toContain('name="check_number"');
    expect(check.html).not.toContain('name="last_4"');
  });

  it("passes a complete report on in the visitor's name, once", async () => {
    const { html, status, calls } = await post("/report", FILLED, {
      [SUBMIT]: ok({ id: "0f9619ff-8b86-4d11-b42d-00c04fc964ff", status: "pending" }),
    });
    expect(status).toBe(200);
    expect(html).toContain("Thank you");
    expect(html).toContain("rae@shop.example");
    const [call, ...others] = calls.filter(({ method }) => method === "POST");
    expect(others).toEqual([]);
    expect(call?.headers.get("idempotency-key")).toBe(KEY);
    expect(call?.headers.get("x-forwarded-for")).toBe("203.0.113.7");
    expect(call?.body).toMatchObject({
      title: "Disputed a delivered order",
      description: "Signed for the parcel.\nThen disputed the payment.",
      amount: 412.5,
      terms_accepted: true,
    });
    expect(call?.body).not.toHaveProperty("idempotency_key");
  });

  it("says what is missing, sends nothing, and keeps everything that was typed", async () => {
    const { html, status, calls } = await post("/report", {
      ...FILLED,
      title: "",
      amount: "lots",
      description: '"><script>alert(1)</script>',
    });
    expect(status).toBe(400);
    expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
    expect(html).toContain("Title is required");
    expect(html).toContain('href="#field-amount"');
    for (const typed of ["lots", "4242", "Quinn", "rae@shop.example"])
      expect(html).toContain(`value="${typed}"`);
    expect(html).toContain(`value="${KEY}"`);
    expect(html).toMatch(/<input[^>]*name="terms_accepted"[^>]* checked=""/);
    expect(html).not.toContain("<script>alert");
  });

  it.each([
    [
      refusal(400, "invalid_request", "Check the form", { city: "No such city" }),
      400,
      "No such city",
    ],
    [refusal(503, "unavailable", "Please try later"), 503, "Nothing you entered is lost"],
    [undefined, 503, "Nothing you entered is lost"],
  ])("shows the refusal %j, under the same key", async (answer, expected, sentence) => {
    const { html, status } = await post("/report", FILLED, { [SUBMIT]: answer });
    expect(status).toBe(expected);
    expect(html).toContain(sentence);
    expect(html).toContain(`value="${KEY}"`);
    expect(html).toContain('value="Quinn"');
  });

  it("says when another attempt makes sense after too many, and keeps what was typed", async () => {
    const answer = refusal(429, "too_many_requests", "Too many requests", undefined, {
      "retry-after": "150",
    });
    const { html, status, headers } = await post("/report", FILLED, { [SUBMIT]: answer });
    expect(status).toBe(429);
    expect(headers["retry-after"]).toBe("150");
    expect(html).toContain("Please try again in 3 minutes");
    expect(html).toContain('value="Quinn"');
    expect(html).toContain(`value="${KEY}"`);
  });

  it("names the terms that the form showed, and asks again for those in force", async () => {
    const shown = (html: string) => /name="terms_version" value="([^"]*)"/.exec(html)?.[1];
    const { html } = await get("/report");
    expect(shown(html)).toBe(IN_FORCE);
    const outdated = refusal(400, "invalid_request", "Changed", { terms_accepted: TERMS_OUTDATED });
    const sent = async (fields: Record<string, string>) => {
      const page = await post("/report", fields, { [SUBMIT]: outdated });
      return {
        named: (page.calls[0]?.body as Record<string, unknown> | undefined)?.terms_version,
        page,
      };
    };
    const old = await sent({ ...FILLED, terms_version: "2026-01-01" });
    expect(old.named).toBe("2026-01-01");
    expect(old.page.html).not.toMatch(/<input[^>]*name="terms_accepted"[^>]* checked=""/);
    expect(shown(old.page.html)).toBe(IN_FORCE);
    // The registry has newer terms than these pages.
    const newer = await sent({ ...FILLED, terms_version: IN_FORCE });
    expect(shown(newer.page.html)).toBe("");
    expect((await sent({ ...FILLED, terms_version: "" })).named).toBeUndefined();
    expect((await sent(FILLED)).named).toBe("unstated");
    expect((await sent({ ...FILLED, terms_version: "x".repeat(500) })).named).toHaveLength(40);
  });

  it("opens without the version of the terms when the registry does not say it", async () => {
    for (const answer of [undefined, refusal(429, "too_many_requests", "Wait")]) {
      const { html, status } = await get("/report", { "GET /prod/api/site": answer });
      expect(status).toBe(200);
      expect(html).toContain('name="terms_version" value=""');
    }
  });

  it("is never shown from a copy, and has another key each time", async () => {
    const keyOf = (html: string) => /name="idempotency_key" value="([0-9a-f]{32})"/.exec(html)?.[1];
    const [first, second] = [await get("/report"), await get("/report")];
    expect(first.headers["cache-control"]).toBe("no-store");
    expect(keyOf(first.html)).not.toBe(keyOf(second.html));
    expect((await get("/faq")).headers).not.toHaveProperty("cache-control");
  });

  it("says that the very same form was sent before, and under which number", async () => {
    const { html, status } = await post("/report", FILLED, {
      [SUBMIT]: ok({
        id: "0f9619ff-8b86-4d11-b42d-00c04fc964ff",
        status: "pending",
        repeated: true,
      }),
    });
    expect(status).toBe(200);
    expect(html).toContain("Already submitted</h1>");
    expect(html).toMatch(/Your report number is <strong[^>]*>R-0F961-9FF8B</);
  });

  it("offers to send other contents as a new report, under a key of its own", async () => {
    const answer = refusal(422, "idempotency_key_reused", "Used");
    const { html, status } = await post("/report", FILLED, { [SUBMIT]: answer });
    expect(status).toBe(422);
    expect(html).toContain("To submit this as a new report");
    expect(html).not.toContain(KEY);
    expect(html).toMatch(/name="idempotency_key" value="[0-9a-f]{32}"/);
    expect(html).toContain('value="Quinn"');
  });

  it("ignores a key that is none, and fields that it does not know", async () => {
    const { calls } = await post(
      "/report",
      { ...FILLED, idempotency_key: "../x", status: "approved", __proto__x: "1" },
      { [SUBMIT]: ok({ id: "0f9619ff-8b86-4d11-b42d-00c04fc964ff", status: "pending" }) },
    );
    expect(calls[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    expect(calls[0]?.body).not.toHaveProperty("status");
  });
});

describe("confirming an address without JavaScript", () => {
  it("has a button, and does nothing before it is pressed", async () => {
    const { html, calls } = await get("/verify-email/tok");
    expect(calls).toEqual([]);
    expect(html).toContain('<form method="post">');
    expect(html).toContain("Confirm Email");
  });

  it.each([
    [ok({ kind: "report", next: "done" }), 200, "Email confirmed", BROWSE],
    [refusal(409, "already_verified", "Confirmed already"), 200, "Email already confirmed", BROWSE],
    [refusal(400, "link_invalid", "No"), 400, "This link doesn&#x27;t work", SUBMIT_NEW],
    [refusal(503, "unavailable", "Later"), 503, "Email not confirmed yet", SUBMIT_NEW],
  ])("says what came of it, and where to go on: %j", async (answer, expected, heading, link) => {
    const { html, status, calls } = await post("/verify-email/tok", {}, { [VERIFY]: answer });
    expect(status).toBe(expected);
    expect(html).toContain(`>${heading}</h1>`);
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
    for (const [href, words] of [link, ["/", "Go to Homepage"]] as const)
      expect(main).toMatch(new RegExp(`<a[^>]* href="${href}"[^>]*>${words}<`));
    expect(calls).toHaveLength(1);
    // Each press is a request of its own: nothing is remembered between visitors.
    const again = await post("/verify-email/tok", {}, { [VERIFY]: answer });
    expect(again.calls).toHaveLength(1);
  });
});

describe("confirming an account's address without JavaScript on another device", () => {
  it("asks for the password, and sends it along, or what stands for not knowing it", async () => {
    const required = { [VERIFY]: refusal(403, "password_required", "Enter it.") };
    const asked = await post("/verify-email/tok", {}, required);
    expect(asked.status).toBe(403);
    expect(asked.html).toContain('name="password"');
    const wrong = { [VERIFY]: refusal(403, "wrong_password", "Not that one.") };
    const refused = await post("/verify-email/tok", { password: "Wrong-1" }, wrong);
    expect(refused.calls[0]?.body).toEqual({ password: "Wrong-1" });
    expect(refused.html).toContain("Not that one.");
    expect(refused.html).not.toContain("Wrong-1");
    const done = { [VERIFY]: ok({ kind: "account", next: "set_password", reset_token: "t" }) };
    const over = await post("/verify-email/tok", { start_over: "true" }, done);
    expect(over.calls[0]?.body).toEqual({ start_over: true });
    expect(over.html).toContain("Accounts need JavaScript");
  });
});

describe("answering a moderator's question without JavaScript", () => {
  const READ = "POST /prod/api/report-question";
  const ANSWER = "POST /prod/api/report-question/answer";
  const asked = (change: { state?: AskedQuestion["state"]; question?: undefined } = {}) =>
    ok({
      number: "R-0F961-9FF8B",
      asked_at: "2026-11-22T09:05:00.000Z",
      expires_at: "2026-12-22T09:05:00.000Z",
      state: "open",
      question: "Which carrier delivered it?",
      ...change,
    });
  const closed = { state: "answered", question: undefined } as const;
  const reply = (answer: string, answers: Parameters<typeof get>[1], key = KEY) =>
    post("/report-question/tok", { answer, idempotency_key: key }, { [READ]: asked(), ...answers });
  const sent = (calls: { path: string }[]) =>
    calls.filter(({ path }) => path.includes("/answer")) as unknown as {
      headers: Headers;
      body: unknown;
    }[];

  it("has a form that the browser sends by itself, under a key that the server made", async () => {
    const { html, headers } = await get("/report-question/tok", { [READ]: asked() });
    expect(html).toMatch(
      /<form[^>]* method="post">.*<noscript><input type="hidden" name="idempotency_key" value="[0-9a-f]{32}"/,
    );
    expect(html).toContain('name="answer"');
    expect(html).not.toContain("needs JavaScript");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("passes the answer on in the visitor's name, and says thank you", async () => {
    const { html, status, calls } = await reply(" The post.\r\nTwice. ", {
      [READ]: asked(closed),
      [ANSWER]: ok({}),
    });
    expect(status).toBe(200);
    expect(html).toContain("Thank you for your answer</h1>");
    expect(html).not.toContain("The post.");
    const [call, ...others] = sent(calls);
    expect(others).toEqual([]);
    expect(call?.body).toEqual({ token: "tok", answer: "The post.\nTwice." });
    expect(call?.headers.get("idempotency-key")).toBe(KEY);
    expect(call?.headers.get("x-forwarded-for")).toBe("203.0.113.7");
  });

  it("says that there is no answer, and sends none", async () => {
    const { html, status, calls } = await reply(" \r\n", {});
    expect(status).toBe(400);
    expect(html).toContain("Answer is required");
    expect(sent(calls)).toEqual([]);
  });

  it.each([
    [refusal(503, "unavailable", "Later"), 503, "Nothing you wrote is lost"],
    [undefined, 503, "Nothing you wrote is lost"],
    [
      refusal(429, "too_many_requests", "Too many", undefined, { "retry-after": "150" }),
      429,
      "try again in 3 minutes",
    ],
    [
      refusal(400, "invalid_request", "No", { answer: "At most 5000 characters" }),
      400,
      "At most 5000 characters",
    ],
  ])("keeps what was typed, under the same key: %j", async (answer, expected, words) => {
    const { html, status, headers } = await reply('"><script>alert(1)</script>', {
      [ANSWER]: answer,
    });
    expect(status).toBe(expected);
    expect(headers["retry-after"]).toBe(expected === 429 ? "150" : undefined);
    expect(html).toContain(words);
    expect(html).toContain("&gt;&lt;script&gt;alert(1)");
    expect(html).toContain(`value="${KEY}"`);
  });

  it("says that the question is over meanwhile", async () => {
    const { html, status } = await reply("The post.", {
      [READ]: asked({ state: "withdrawn", question: undefined }),
      [ANSWER]: refusal(409, "question_closed", "Withdrawn"),
    });
    expect(status).toBe(409);
    expect(html).toContain("This question was withdrawn.");
    expect(html).not.toContain("Thank you for your answer");
  });
});

describe("replying to an answer by staff without JavaScript", () => {
  const READ = "POST /prod/api/inquiry-answer";
  const REPLY = "POST /prod/api/inquiry-answer/reply";
  const page = (change: { state?: AnsweredInquiry["state"]; answer?: undefined } = {}) =>
    ok({
      number: "E-0F961-9FF8B",
      form: "Enterprise inquiry",
      expires_at: "2026-12-22T09:05:00.000Z",
      state: "open",
      answer: "Yes, from <December>.",
      ...change,
    });
  const over = { state: "replied", answer: undefined } as const;
  const reply = (answer: string, answers: Parameters<typeof get>[1]) =>
    post("/inquiry-answer/tok", { answer, idempotency_key: KEY }, { [READ]: page(), ...answers });

  it("shows the answer above a form that the browser sends by itself", async () => {
    const { html, headers } = await get("/inquiry-answer/tok", { [READ]: page() });
    expect(html).toContain("Yes, from &lt;December&gt;.");
    expect(html).toMatch(/<form[^>]* method="post">.*name="idempotency_key" value="[0-9a-f]{32}"/);
    expect(html).toContain("Only our staff will read your reply.");
    expect(html).not.toContain("needs JavaScript");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("passes the reply on in the visitor's name, and says thank you", async () => {
    const { html, status, calls } = await reply(" We take it.\r\nSoon. ", {
      [READ]: page(over),
      [REPLY]: ok({}),
    });
    expect(status).toBe(200);
    expect(html).toContain("Thank you for your reply</h1>");
    const [call, ...others] = calls.filter(({ path }) => path.includes("/reply")) as unknown as {
      headers: Headers;
      body: unknown;
    }[];
    expect(others).toEqual([]);
    expect(call?.body).toEqual({ token: "tok", reply: "We take it.\nSoon." });
    expect(call?.headers.get("idempotency-key")).toBe(KEY);
    expect(call?.headers.get("x-forwarded-for")).toBe("203.0.113.7");
  });

  it("sends no empty reply, and keeps what was typed where nothing answers", async () => {
    const none = await reply(" \r\n", {});
    expect([none.status, none.html.includes("Reply is required")]).toEqual([400, true]);
    const kept = await reply("We take it.", { [REPLY]: undefined });
    expect(kept.status).toBe(503);
    expect(kept.html).toContain("Nothing you wrote is lost");
    expect(kept.html).toContain("We take it.");
  });

  it("says why no reply is taken, and nothing of a link that does not work", async () => {
    for (const [state, words] of [
      ["replied", "received your reply"],
      ["closed", "This inquiry was closed"],
    ] as const) {
      const { html } = await get("/inquiry-answer/tok", {
        [READ]: page({ state, answer: undefined }),
      });
      expect(html).toContain(words);
      expect(html).not.toContain("<form");
    }
    const { html, status } = await get("/inquiry-answer/tok", {
      [READ]: refusal(400, "link_invalid", "No"),
    });
    expect([status, html.includes("This link is no longer valid")]).toEqual([404, true]);
    expect(html).not.toContain("report was removed");
  });
});
