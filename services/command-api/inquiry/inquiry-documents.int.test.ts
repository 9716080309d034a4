import { createHash, randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { submit } from "../testing/reports.fixture.ts";
import { named, pdf, storedFiles, upload } from "../testing/uploads.fixture.ts";

const fixture = forFile(() => startCommandApi());

const REQUESTS = "/prod/api/law-enforcement/requests";
const request = {
  agency: "Denver Police",
  name: "Det. Ann Lee",
  email: "ann@police.example",
  legal_basis: "Subpoena 12",
  cases: "Quinn Ames",
};
const order = Buffer.concat([pdf.subarray(0, -6), Buffer.from("% Canary-order\n%%EOF\n")]);
const system = () => systemCaller(new Date().toISOString());
const send = (file?: NamedUpload, key: string = randomUUID(), body: object = request) =>
  fixture.call("POST", REQUESTS, { body: file ? { ...body, document_file: file } : body, key });
const numberOf = (reply: Awaited<ReturnType<typeof send>>): string => {
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data.number;
};

/** The inquiry's ID and the types of its events. */
async function caseOf(number: string) {
  const { rows } = await fixture.db.query<{ id: string; type: string; text: string }>(
    `select substr(stream, 9) as id, type, row_to_json(e)::text as text from event_log.event e
     where stream like 'inquiry-%' and replace(substr(stream, 9), '-', '') like $1 order by revision`,
    [`${number.slice(2).replace("-", "").toLowerCase()}%`],
  );
  return { id: rows[0]?.id ?? "", types: rows.map(({ type }) => type), rows };
}
const keyOf = (subject: string) => fixture.keyState(subject);
const uploadsLeft = async () =>
  Number((await fixture.db.query("select count(*) from command.upload")).rows[0].count);

describe("a document attached to a request", () => {
  it("is encrypted under the request's own key, and its upload is removed", async () => {
    const file = await upload(fixture, order);
    const { id, types, rows } = await caseOf(numberOf(await send(named(file, "order.pdf"))));
    expect(types).toEqual(["InquiryReceived"]);
    expect(rows[0]?.text).not.toMatch(/order\.pdf|application/);
    const stored = await storedFiles(fixture);
    expect(stored.some((name) => name.includes(id))).toBe(true);
    expect(stored.some((name) => name.includes(file.id))).toBe(false);
    expect(await keyOf(subjects.inquiry(id))).toBe("present");
    expect(await keyOf(subjects.file(file.id))).toBe("destroyed");
    expect(await keyOf(subjects.file(id))).toBe("missing");
    expect(await uploadsLeft()).toBe(0);
  });

  it("is shown to the operator, and opened after an event each time", async () => {
    const number = numberOf(await send(named(await upload(fixture, order), "order.pdf")));
    const shown = await fixture.api.inquiries.show(number, system());
    expect(shown).toContainEqual({ label: "Copy of the document", text: "order.pdf (PDF, 1 kB)" });
    for (const _ of [1, 2]) {
      const document = await fixture.api.inquiries.openDocument(number, system());
      if (!document) throw new Error("no document");
      const { content, ...told } = document;
      const sha256 = createHash("sha256").update(order).digest("hex");
      const bytes = order.length;
      expect(told).toEqual({
        name: "order.pdf",
        type: "application/pdf",
        bytes,
        sha256,
        position: expect.any(String),
      });
      expect(await text(content)).toBe(order.toString());
    }
    expect((await caseOf(number)).types).toEqual([
      "InquiryReceived",
      "InquiryViewed",
      "InquiryDocumentViewed",
      "InquiryDocumentViewed",
    ]);
    const without = numberOf(await send());
    expect(await fixture.api.inquiries.openDocument(without, system())).toBeUndefined();
    expect((await caseOf(without)).types).toEqual(["InquiryReceived"]);
  });

  it("is erased with the request, including its file and its key", async () => {
    const number = numberOf(await send(named(await upload(fixture, order))));
    const { id } = await caseOf(number);
    await fixture.api.inquiries.eraseByNumber(number, system());
    expect(await keyOf(subjects.inquiry(id))).toBe("destroyed");
    expect((await storedFiles(fixture)).some((name) => name.includes(id))).toBe(false);
    expect(await fixture.api.inquiries.openDocument(number, system())).toBeUndefined();
  });

  it("is removed when an interrupted erasure is finished, even if repeated", async () => {
    const number = numberOf(await send(named(await upload(fixture, order))));
    const { id } = await caseOf(number);
    const { rows } = await fixture.db.query("select * from command.inquiry where id = $1", [id]);
    expect(rows).toHaveLength(1);
    await fixture.api.inquiries.finishErasure(id, new Date().toISOString());
    await fixture.api.inquiries.finishErasure(id, new Date().toISOString());
    expect((await storedFiles(fixture)).some((name) => name.includes(id))).toBe(false);
  });

  it("belongs to one case if it is sent again, and refuses another file under the same key", async () => {
    const key = randomUUID();
    const file = named(await upload(fixture, order));
    const first = numberOf(await send(file, key));
    expect(numberOf(await send(file, key))).toBe(first);
    expect((await caseOf(first)).types).toEqual(["InquiryReceived"]);
    const other = await send(named(await upload(fixture)), key);
    expect(other.json().error.code).toBe("idempotency_key_reused");
    const document = await fixture.api.inquiries.openDocument(first, system());
    expect(document && (await text(document.content))).toBe(order.toString());
  });

  it("can be attached only once, by anyone who has its secret", async () => {
    const file = await upload(fixture);
    const guessed = await send(named({ ...file, secret: "A".repeat(43) }));
    expect(guessed.json().error).toMatchObject({
      code: "invalid_request",
      fields: { document_file: expect.stringContaining("no longer here") },
    });
    await submit(fixture, { ...chargeback, evidence: [named(file)] });
    expect((await send(named(file))).json().error.code).toBe("upload_used");
    expect((await storedFiles(fixture)).some((name) => name.includes(file.id))).toBe(true);
  });

  it("is refused by other forms, and from a program that fills in the hidden field", async () => {
    const file = named(await upload(fixture));
    const before = (await storedFiles(fixture)).length;
    const program = await send(file, randomUUID(), { ...request, leave_empty: "x" });
    expect(program.json().error.fields).toHaveProperty("leave_empty");
    const contact = { company: "A", name: "A", email: "a@b.example", useCase: "A" };
    const body = { ...contact, document_file: file };
    const other = await fixture.call("POST", "/prod/api/enterprise/contact", { body });
    expect(other.statusCode).toBe(400);
    expect((await storedFiles(fixture)).length).toBe(before);
    const list = await send([file] as unknown as NamedUpload);
    expect(list.statusCode).toBe(400);
  });
});
