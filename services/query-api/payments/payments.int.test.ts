import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Resolution } from "#contracts/events/report/resolution.ts";
import type { Payments } from "#contracts/http/documents.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const URL = "/prod/api/admin/payments";
const STAGES = ["requested", "letter_accepted", "resolved", "refunded"] as const;

const service = forFile(() => startQueryApi());
/** In the order in which their requests were updated. */
const reports: { id: string; stage: Resolution["stage"] }[] = [];

const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 0, n)).toISOString();

beforeAll(async () => {
  await service.moveTo(5);
  await service.addReport({});
  for (let n = 0; n < 60; n += 1) {
    const stage = STAGES[n % STAGES.length] ?? "requested";
    const resolution: Resolution = {
      request_id: randomUUID(),
      file_id: null,
      stage,
      amount_cents: 25_000,
      currency: "USD",
      refusal: null,
      payments:
        stage === "resolved"
          ? [
              {
                payment_id: randomUUID(),
                method: "check",
                amount_cents: 25_000,
                currency: "USD",
                reference: `Check ${n}`,
                refunded: false,
              },
            ]
          : [],
      requests: 1,
    };
    // Two at a time are updated in the same millisecond.
    const resolution_at = minute(Math.floor(n / 2));
    const columns = { resolution: JSON.stringify(resolution), resolution_at };
    reports.push({ id: await service.addReport(columns), stage });
  }
});

async function readAll(filter = "") {
  const found: Payments["payments"] = [];
  let pages = 0;
  for (let after: string | undefined = ""; after !== undefined; pages += 1) {
    const query = new URLSearchParams(filter);
    if (after) query.set("after", after);
    const answer = await service.get(`${URL}?${query}`, { as: "admin" });
    expect(answer.statusCode, answer.body).toBe(200);
    const { payments, next } = answer.json().data as Payments;
    found.push(...payments);
    after = next;
  }
  return { found, pages };
}

describe("the payments of all reports", () => {
  it("are listed once each across all pages, most recently updated first", async () => {
    const { found, pages } = await readAll();
    expect(pages).toBe(3);
    expect(found.map(({ report }) => report.id).toSorted()).toEqual(
      reports.map(({ id }) => id).toSorted(),
    );
    const times = found.map(({ changed_at }) => changed_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it.each(STAGES)("are filtered by their state: %s", async (stage) => {
    const { found } = await readAll(`stage=${stage}`);
    expect(found.map(({ report }) => report.id).toSorted()).toEqual(
      reports
        .filter((each) => each.stage === stage)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it("show their report, what was paid, and the payment reference", async () => {
    const { found } = await readAll("stage=resolved");
    const last = reports[58]?.id ?? "";
    expect(found[0]).toEqual({
      report: {
        id: last,
        number: reportNumber(last),
        first_name: "Quinn",
        last_name: "Ames",
        status: "pending",
      },
      stage: "resolved",
      fee: { currency: "USD", amount: 250 },
      changed_at: minute(29),
      payments: [
        {
          payment_id: expect.any(String),
          method: "check",
          paid: { currency: "USD", amount: 250 },
          reference: "Check 58",
          refunded: false,
        },
      ],
    });
  });
});
