import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { subjects } from "#contracts/sealed.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { accountRegistered, emailConfirmed, link } from "#test-kit/account-events.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import {
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportEdited,
  reporterAnswered,
  reporterAsked,
  reporterErased,
  reportSubmitted,
  textMasked,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { TemplateRenderer } from "../template-renderer.ts";
import { HIDDEN_LINK, hideLinks, PastMails } from "./past-mails.ts";

const ASKED = "2026-11-20T10:00:00.000Z";
const SENT = "2026-11-20T10:00:05.000Z";
const LATER = "2026-11-21T10:00:00.000Z";
const TITLE = "Disputed a watch";

const renderer = new TemplateRenderer();
let log: EventWriter;
let mails: PastMails;
let store: ReturnType<typeof createMemoryEventStore>;
let id: string;
beforeEach(() => {
  store = createMemoryEventStore();
  const keys = createMemoryKeyStore();
  log = new EventWriter(store, keys);
  id = randomUUID();
  mails = new PastMails({
    store,
    keys,
    codec: registryCodec,
    renderer,
    publicUrl: "http://registry.example",
    letterhead: { productName: "The Registry", supportEmail: "support@registry.example" },
    operatorEmail: "operator@registry.example",
    salesEmail: () => "sales@registry.example",
  });
});
afterEach(() => renderer.close());

/** Appends events to a stream. @returns the last one's revision and ID. */
async function append(stream: string, time: string, ...events: RegistryEvent[]) {
  await log.append(stream, events, { time });
  const last = { direction: "backwards", limit: 1 } as const;
  for await (const event of store.readStream(stream, "end", last))
    return { revision: event.revision, eventId: event.id };
  throw new Error("nothing was appended");
}
const read = (kind: MailKind, asking: { revision: number; eventId: string }, ownerId = id) =>
  mails.read({ id: "mail-1", kind, ownerId, at: ASKED, sentAt: SENT, ...asking });
const report = () => streams.report(id);
const submitted = () => reportSubmitted({ personal: { title: TITLE } });

it("hides every link, even one that still works", async () => {
  const asking = await append(report(), ASKED, submitted());
  const mail = await read("verification", asking);
  expect(mail).toMatchObject({ subject: expect.stringContaining("Confirm"), template: "shipped" });
  const { text } = mail as { text: string };
  // The button, and the link to the report's status.
  expect(text.split(HIDDEN_LINK)).toHaveLength(3);
  expect(text).not.toMatch(/verify-email|report-status|[A-Za-z0-9_-]{90}/);
});

it("hides a link to its end, whatever follows the token", () => {
  const text = "Open https://registry.example/x/secret?next=%2Fdashboard#top by Friday.";
  expect(hideLinks(text, "secret")).toBe(`Open ${HIDDEN_LINK} by Friday.`);
});

it("is written from the log as it was, regardless of later changes", async () => {
  const question = randomUUID();
  await append(report(), ASKED, submitted(), verifiedByLink());
  const asking = await append(report(), ASKED, reporterAsked(question));
  await append(report(), LATER, reporterAnswered(question), reportApproved());
  await append(report(), LATER, reportEdited({ personal: { set: { title: "Another title" } } }));
  const { text } = (await read("question", asking)) as { text: string };
  expect(text).toContain("Which carrier delivered it?");
  expect(text).toContain(TITLE);
  expect(text).not.toContain("Another title");
});

it("reads an account email whose link was used or has expired", async () => {
  const linkId = randomUUID();
  const user = streams.user(id);
  const asking = await append(
    user,
    ASKED,
    accountRegistered({ link: link(linkId, "2026-11-22T10:00:00.000Z") }),
  );
  await append(user, LATER, emailConfirmed(true, "link", linkId));
  const { text } = (await read("account_confirmation", asking)) as { text: string };
  expect(text).toContain(HIDDEN_LINK);
  expect(text).not.toContain("/verify-email/");
});

it("reads an answer to an inquiry without its link, until the inquiry is erased", async () => {
  const stream = streams.inquiry(id);
  const sender = { name: "Ann", email: "ann@acme.example", answers: [] };
  const { link_id, expires_at } = link(randomUUID(), "2026-12-20T10:00:00.000Z");
  const asking = await append(
    stream,
    ASKED,
    { type: "InquiryReceived", data: { kind: "enterprise", sender } },
    {
      type: "InquiryAnswered",
      data: { link: { link_id, expires_at }, note: { text: "Yes, from December." } },
    },
  );
  const { text } = (await read("inquiry_answered", asking)) as { text: string };
  expect(text).toContain("Yes, from December.");
  expect(text).toContain(HIDDEN_LINK);
  expect(text).not.toContain("/inquiry-answer/");
  await append(stream, LATER, { type: "InquiryErased", data: { by: "operator" } });
  expect(await read("inquiry_answered", asking)).toEqual({ gone: "erased" });
});

it("reveals nothing of an erased person, a deleted report, or a masked text", async () => {
  const asking = await append(report(), ASKED, submitted(), verifiedByLink(), reportApproved());
  expect(await read("approved", asking)).toHaveProperty("text", expect.stringContaining(TITLE));
  await append(report(), LATER, reportDeleted());
  expect(await read("approved", asking)).toEqual({ gone: "deleted" });
  await append(report(), LATER, reportDeletionUndone("approved"));
  expect(await read("approved", asking)).toHaveProperty("text");
  await append(report(), LATER, textMasked(subjects.text(randomUUID(), 0), { title: "****" }));
  expect(await read("approved", asking)).toEqual({ gone: "masked" });
  await append(report(), LATER, reporterErased());
  expect(await read("approved", asking)).toEqual({ gone: "erased" });
  expect(await read("approved", asking, randomUUID())).toEqual({ gone: "deleted" });
});

it("reports that another report it names is gone, rather than misstate its own", async () => {
  const duplicate_of = randomUUID();
  const other = streams.report(duplicate_of);
  await append(other, ASKED, submitted(), verifiedByLink(), reportApproved());
  const data = { from: "pending", verified: true, reason_code: "duplicate", duplicate_of } as const;
  const rejected = { type: "ReportRejected", data } as const;
  const asking = await append(report(), ASKED, submitted(), verifiedByLink(), rejected);
  const { text } = (await read("rejected", asking)) as { text: string };
  expect(text).toContain(reportNumber(duplicate_of));
  await append(other, LATER, reportDeleted());
  expect(await read("rejected", asking)).toEqual({ gone: "named" });
});

it("uses the template that was active when it was sent", async () => {
  const asking = await append(report(), ASKED, submitted(), verifiedByLink(), reportApproved());
  const template_id = randomUUID();
  const stream = streams.template("approved");
  const words = (body: string) => ({ name: "Own", subject: "Own subject", body });
  await append(stream, ASKED, {
    type: "TemplateCreated",
    data: { template_id, template: words("As it was sent.") },
  });
  await append(stream, ASKED, { type: "TemplateActivated", data: { template_id } });
  await append(stream, LATER, {
    type: "TemplateEdited",
    data: { template_id, template: words("As it reads now.") },
  });
  const mail = await read("approved", asking);
  expect(mail).toMatchObject({ subject: "Own subject", template: template_id });
  expect((mail as { text: string }).text).toContain("As it was sent.");
});
