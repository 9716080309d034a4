import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { streams, type TemplateEvent } from "#contracts/events/index.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { EventStore } from "#event-store/port.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { layOut } from "#mail-templates/layout.ts";
import { TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { wordsFrom } from "./testing/words.fixture.ts";

const letterhead = { productName: "The Registry", supportEmail: "support@registry.example" };
const [A, B] = [randomUUID(), randomUUID()];
const facts = {
  productName: "The Registry",
  url: "http://registry.example/forgot-password",
  at: "2026-11-22T10:00:00.000Z",
  words: { firstName: "Rae", title: "Bought at shop.example" },
};

const renderer = new TemplateRenderer();
afterAll(() => renderer.close());

let log: EventWriter;
let store: EventStore;
let mailer: ReturnType<typeof wordsFrom>;
beforeEach(() => {
  store = createMemoryEventStore();
  const keys = createMemoryKeyStore();
  log = new EventWriter(store, keys);
  mailer = wordsFrom(store, keys, renderer);
});

const append = (kind: TemplateKind, ...events: TemplateEvent[]) =>
  log.append(streams.template(kind), events);
const template = (body: string, subject = "Own subject") => ({ name: "Own", subject, body });
const created = (template_id: string, body: string, subject?: string): TemplateEvent => ({
  type: "TemplateCreated",
  data: { template_id, template: template(body, subject) },
});
const edited = (template_id: string, body: string): TemplateEvent => ({
  type: "TemplateEdited",
  data: { template_id, template: template(body) },
});
const activated = (template_id: string): TemplateEvent => ({
  type: "TemplateActivated",
  data: { template_id },
});
const deactivated = (template_id: string): TemplateEvent => ({
  type: "TemplateDeactivated",
  data: { template_id },
});
async function write(kind: TemplateKind) {
  const { text, used } = await mailer.words.write(kind, facts);
  return { ...layOut(text, letterhead), used: used?.template };
}
const failures = async () =>
  (await mailer.metrics.templateFailed.get()).values.map(({ value }) => value);

describe("an email", () => {
  it("has the shipped text until a template is active, and again afterward", async () => {
    const shipped = await write("approved");
    expect(shipped).toMatchObject({
      used: "shipped",
      subject: expect.stringContaining("is published"),
    });
    await append("approved", created(A, "Own {{ title }}"));
    expect(await write("approved")).toEqual(shipped);
    await append("approved", activated(A));
    expect(await write("approved")).toMatchObject({ used: A, subject: "Own subject" });
    await append("approved", deactivated(A));
    expect(await write("approved")).toEqual(shipped);
  });

  it("has the active template's current text, not another one's", async () => {
    await append(
      "approved",
      created(A, "One"),
      activated(A),
      created(B, "Two"),
      edited(B, "Three"),
    );
    expect((await write("approved")).text).toContain("One");
    await append("approved", edited(A, "One again"));
    expect((await write("approved")).text).toContain("One again");
    await append("approved", activated(B));
    expect(await write("approved")).toMatchObject({
      used: B,
      text: expect.stringContaining("Three"),
    });
    expect((await write("rejected")).used).toBe("shipped");
  });

  it("keeps its button, and a security email its warning", async () => {
    await append("password_changed", created(A, "All is well"), activated(A));
    const { text, html } = await write("password_changed");
    for (const part of [text, html]) {
      expect(part).toContain("All is well");
      expect(part).toMatch(/If it wasn.+t you, set a new password right away/);
      expect(part).toContain(facts.url);
    }
  });

  it("shows a stranger's text literally", async () => {
    await append("approved", created(A, "Report {{ title }}"), activated(A));
    const title = '[x](https://evil.example) <img src="https://evil.example/p.png">';
    const { text } = await mailer.words.write("approved", {
      ...facts,
      words: { firstName: "Rae", title },
    });
    expect(text.rendered?.html).toBe(
      "<p>Report [x](https://evil.example) &lt;img src=&quot;https://evil.example/p.png&quot;&gt;</p>",
    );
  });
});

describe("a template that fails", () => {
  const loop = `{% for a in (1..9999) %}${"{% if a %}{% endif %}".repeat(4_000)}{% endfor %}`;

  it.each([
    ["uses an unknown variable", "{{ password }}"],
    ["loops forever", loop],
    ["links to another site", "https://evil.example"],
  ])("does not stop the email: one that %s", async (_, body) => {
    const shipped = await write("approved");
    await append("approved", created(A, body), activated(A));
    expect(await write("approved")).toEqual(shipped);
    expect(await write("approved")).toEqual(shipped);
    // Logged once for the template, and counted for each email.
    expect(mailer.lines).toHaveLength(1);
    expect(mailer.lines[0]).toContain("template_failed");
    expect(mailer.lines[0]).not.toContain("evil");
    expect(await failures()).toEqual([2]);
    expect(await mailer.alarm.check()).toMatchObject({
      ok: false,
      detail: { code: "template_failed", kinds: "approved" },
    });
  });

  it("raises an alarm until it is corrected or no longer used", async () => {
    await append("approved", created(A, "{{ password }}"), activated(A));
    await write("approved");
    await append("approved", deactivated(A));
    expect(await mailer.alarm.check()).toMatchObject({ ok: true });
    await append("approved", activated(A));
    await write("approved");
    expect(await mailer.alarm.check()).toMatchObject({ ok: false });
    await append("approved", edited(A, "Fine"));
    expect(await mailer.alarm.check()).toMatchObject({ ok: true });
    expect((await write("approved")).used).toBe(A);
  });

  it("does not stop the email when the log does not answer or the template's key is lost", async () => {
    const shipped = await write("approved");
    await append("approved", created(A, "Own"), activated(A));
    const keys = { get: () => Promise.reject(new Error("away")) };
    const cut = wordsFrom(store, { ...createMemoryKeyStore(), ...keys }, renderer);
    const { text } = await cut.words.write("approved", facts);
    expect(layOut(text, letterhead).text).toBe(shipped.text);
    expect(cut.lines).toHaveLength(1);
  });
});

describe("a test email", () => {
  it("has the template's text as of the request, with sample data", async () => {
    const tested = { type: "TemplateTested", data: { template_id: A, to: randomUUID() } } as const;
    await append("approved", created(A, "Hello {{ first_name }} at {{ site_url }}"));
    const { revision } = await append("approved", created(B, "Two"), tested);
    await append("approved", edited(A, "Later"));
    const text = await mailer.words.writeTest("approved", revision);
    expect(text?.subject).toBe("Test: Own subject");
    expect(text?.rendered?.text).toBe("Hello Rae at http://registry.example");
    expect(await mailer.words.writeTest("inquiry_for_inbox", 0)).toBeUndefined();
  });
});
