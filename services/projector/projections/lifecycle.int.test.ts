import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import {
  reportApproved,
  reportDeleted,
  reportEdited,
  reportErased,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import { openFixture } from "../testing/projector.fixture.ts";

const fixture = forFile(() => openFixture());

beforeAll(async () => {
  await fixture.start();
});

/** Returns a report's addresses, as plain slugs instead of hashes. */
async function addresses(id: string) {
  const key = await fixture.stores.keys.serviceKey("slugs");
  const names = ["quinn-ames", "quinn-doe"];
  const slugs = new Map(names.map((slug) => [slugHash(key, slug), slug]));
  const rows = await fixture.rows<{ slug_hash: string; gone: boolean }>(
    `select slug_hash, gone_at is not null as gone from address.slug
     where report_id = $1`,
    [id],
  );
  return rows
    .map(({ slug_hash, ...row }) => ({ slug: slugs.get(slug_hash) ?? slug_hash, ...row }))
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

describe("a report's life in every table", () => {
  it("goes from submitted to approved to edited to deleted", async () => {
    const id = randomUUID();
    await fixture.reached(
      await fixture.report(id, [reportSubmitted({ personal: { email: "quinn@example.net" } })]),
    );
    const [row] = await fixture.rows<Record<string, unknown>>(
      "select * from reports.report where id = $1",
      [id],
    );
    expect(row).toMatchObject({
      status: "pending",
      verified: false,
      first_name: "Quinn",
      email_mask: "q***@***",
      reporter_email_mask: "r***@***",
      amount_cents: 41_250,
      total_due_cents: 41_250,
      transaction_date: "2026-05-02",
      slug: null,
      revision: 0,
    });
    expect(await fixture.rows("select 1 from reports.public_report where id = $1", [id])).toEqual(
      [],
    );
    expect(await fixture.rows("select kind from outbox.mail where report_id = $1", [id])).toEqual([
      { kind: "verification" },
    ]);

    expect(await addresses(id)).toEqual([]);

    const approved = reportApproved("pending", true, "quinn-ames");
    await fixture.reached(await fixture.report(id, [verifiedByLink(), approved]));
    expect(await addresses(id)).toEqual([{ slug: "quinn-ames", gone: false }]);
    expect(
      await fixture.rows("select verified, revision from reports.public_report where id = $1", [
        id,
      ]),
    ).toEqual([{ verified: true, revision: 2 }]);
    expect(
      await fixture.rows("select first_name from search.documents where id = $1", [id]),
    ).toEqual([{ first_name: "Quinn" }]);
    expect(
      await fixture.rows("select approved from offenders.member where report_id = $1", [id]),
    ).toEqual([{ approved: true }]);

    await fixture.reached(
      await fixture.report(id, [
        reportEdited({
          set: { amount_cents: 100 },
          personal: { set: { title: "New title", last_name: "Doe" }, slug: "quinn-doe" },
        }),
      ]),
    );
    expect(await addresses(id)).toEqual([
      { slug: "quinn-ames", gone: true },
      { slug: "quinn-doe", gone: false },
    ]);
    expect(
      await fixture.rows("select title, amount_cents from search.documents where id = $1", [id]),
    ).toEqual([{ title: "New title", amount_cents: 100 }]);

    await fixture.reached(await fixture.report(id, [reportDeleted(), reportErased()]));
    for (const table of [
      "reports.report where id",
      "search.documents where id::text",
      "search_source.report where report_id",
      "offenders.member where report_id",
      "outbox.mail where report_id",
    ])
      expect(await fixture.rows(`select 1 from ${table} = $1`, [id])).toEqual([]);
    expect(await addresses(id)).toEqual([
      { slug: "quinn-ames", gone: true },
      { slug: "quinn-doe", gone: true },
    ]);
    expect(
      await fixture.rows("select event_type from audit.entry where stream = $1 order by revision", [
        streams.report(id),
      ]),
    ).toHaveLength(6);
  });

  it("leaves no trace of the address of a report that was never public", async () => {
    const id = randomUUID();
    const rename = reportEdited({ personal: { set: { last_name: "Doe" } } });
    await fixture.reached(
      await fixture.report(id, [reportSubmitted(), rename, reportDeleted(), reportErased()]),
    );
    expect(await addresses(id)).toEqual([]);
    expect(
      await fixture.rows("select 1 from reports.deleted_report where report_id = $1", [id]),
    ).toHaveLength(1);
  });
});
