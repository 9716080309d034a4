import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { accountRegistered, link } from "#test-kit/account-events.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import {
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportErased,
  reporterErased,
  reportSubmitted,
  textMasked,
} from "#test-kit/report-events.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { overtakenBy } from "./delivery.ts";

const masked = () => textMasked(subjects.text(randomUUID(), 0), { title: "****" });
/** The revision of an approved report from which the email was written. */
const revision = 1;

const later: readonly (readonly [string, readonly ReportEvent[], object | undefined])[] = [
  ["nothing", [], undefined],
  ["an approval again", [reportApproved("approved")], undefined],
  ["a masking", [masked()], { until: 2 }],
  ["two maskings", [masked(), masked()], { until: 3 }],
  ["a deletion", [reportDeleted()], {}],
  ["a deletion and its undoing", [reportDeleted(), reportDeletionUndone()], undefined],
  [
    "a masking, a deletion and its undoing",
    [masked(), reportDeleted(), reportDeletionUndone()],
    { until: 2 },
  ],
  ["an erasure", [reportDeleted(), reportErased()], {}],
  ["an erasure of the reporter", [reporterErased()], {}],
];

async function registry(events: readonly ReportEvent[]) {
  const store = createMemoryEventStore();
  const writer = new EventWriter(store, createMemoryKeyStore());
  const [own, account] = [randomUUID(), randomUUID()];
  const registered = accountRegistered({ link: link(randomUUID()) });
  await writer.append(streams.user(account), [registered]);
  await writer.append(streams.report(own), [reportSubmitted(), reportApproved(), ...events]);
  return { store, own, account };
}

it.each(later)("an email of a report is overtaken by %s", async (_, events, overtaken) => {
  const { store, own } = await registry(events);
  const mail = { kind: "approved", ownerId: own } as const;
  expect(await overtakenBy(mail, { revision }, store)).toEqual(overtaken);
});

it.each(later)(
  "an email to an account that quotes its report is overtaken by %s",
  async (_, events, overtaken) => {
    const { store, own, account } = await registry(events);
    const reports = { own, further: randomUUID() };
    const mail = { kind: "same_person", ownerId: account, reports } as const;
    expect(await overtakenBy(mail, { revision }, store)).toEqual(overtaken);
  },
);

it("an email written after a masking is kept", async () => {
  const { store, own } = await registry([masked()]);
  const mail = { kind: "approved", ownerId: own } as const;
  expect(await overtakenBy(mail, { revision: 2 }, store)).toBeUndefined();
});
