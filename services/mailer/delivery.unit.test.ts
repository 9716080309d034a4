import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import {
  reportApproved,
  reportErased,
  reportSubmitted,
  textMasked,
} from "#test-kit/report-events.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { deliver } from "./delivery.ts";

const OWNER = randomUUID();

/** Records what a delivery does, in order; outbox and transport are stubs. */
async function delivering(outcome: {
  readonly admission?: "admitted" | "lost";
  /** Appended to the report while the email is being sent. */
  readonly whileSent?: ReportEvent;
}): Promise<readonly string[]> {
  const { admission = "admitted", whileSent = reportApproved() } = outcome;
  const store = createMemoryEventStore();
  const log = new EventWriter(store, createMemoryKeyStore());
  await log.append(streams.report(OWNER), [reportSubmitted()]);
  const steps: string[] = [];
  const note = (step: string) => async () => void steps.push(step);
  const mail = { id: "mail-1", kind: "verification", ownerId: OWNER, attempts: 1 };
  const counter = { inc: () => undefined };
  const deps = {
    store,
    outbox: {
      lease: async () => mail,
      admit: async () => admission,
      sent: note("marked"),
    },
    writer: { write: async () => ({ mail: { id: mail.id, ownerId: OWNER, revision: 0 } }) },
    transport: {
      async send() {
        steps.push("sent");
        await log.append(streams.report(OWNER), [whileSent]);
      },
      forget: async (owner: string, until?: number) => void steps.push(`forgot ${owner} ${until}`),
    },
    metrics: { sent: counter, overtaken: counter },
    log: { debug: () => undefined },
    notifies: () => true,
  };
  await deliver(mail.id, deps as unknown as Parameters<typeof deliver>[1]);
  return steps;
}

it("marks an email once it is sent", async () => {
  expect(await delivering({})).toEqual(["sent", "marked"]);
});

it("removes a stored email whose owner was erased while it was in flight", async () => {
  const erased = await delivering({ whileSent: reportErased() });
  expect(erased).toEqual(["sent", "marked", `forgot ${OWNER} undefined`]);
});

it("removes an email quoting text that was masked while it was in flight", async () => {
  const masked = textMasked(subjects.text(OWNER, 0), { title: "****" });
  const steps = await delivering({ whileSent: masked });
  expect(steps).toEqual(["sent", "marked", `forgot ${OWNER} 1`]);
});

it("does not send an email that another worker now holds", async () => {
  expect(await delivering({ admission: "lost" })).toEqual([]);
});
