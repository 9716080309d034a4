import { describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { photo } from "#pictures/testing/made-files.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf, SUBMIT } from "../testing/reports.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";
import { named, storedFiles, upload } from "../testing/uploads.fixture.ts";

const fixture = forFile(() => startCommandApi());

const calls = resolutionCalls(() => fixture);
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const keyOf = (id: string) => fixture.keyState(subjects.file(id));
const isStored = async (id: string) =>
  (await storedFiles(fixture)).some((name) => name.includes(id));
function remove(
  id: string,
  file: string,
  body: object = { reason_code: "unrelated" },
  options: { as?: "admin" | "user" | "auditor"; key?: string } = {},
) {
  const url = admin(id, `/evidence/${file}/delete`);
  return fixture.call("POST", url, { body, as: "admin", ...options });
}

async function reportWithFiles(as?: "admin") {
  const files = [await upload(fixture), await upload(fixture)];
  const body = { ...chargeback, evidence: files.map((file) => named(file)) };
  const answer = await fixture.call("POST", SUBMIT, { body, ...(as ? { as } : {}) });
  const [first, second] = files.map(({ id }) => id);
  return { id: answer.json().data.id as string, first: first ?? "", second: second ?? "" };
}

/** Publishes a picture of a report's file. @returns the copy's ID. */
async function published(id: string, file: string): Promise<string> {
  await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
  const answer = await fixture.api.app.inject({
    method: "POST",
    url: `${admin(id, `/evidence/${file}/publish`)}?boxes=0&page=1`,
    headers: {
      authorization: `Bearer ${fixture.tokens.admin}`,
      "content-type": "application/octet-stream",
    },
    payload: await photo("jpeg"),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return (await fixture.api.reports.load(id))?.copies.at(-1)?.copy_id ?? "";
}

describe("deleting a document", () => {
  it("destroys the file, its key and its published copies, and nothing else", async () => {
    const { id, first, second } = await reportWithFiles();
    const copy = await published(id, first);
    const reason = "It shows another person's parcel";
    const answer = await remove(id, first, { reason_code: "other", reason });
    expect(answer.statusCode, answer.body).toBe(200);
    const events = (await eventsOf(fixture, id)).slice(-4);
    expect(events.map(({ type }) => type)).toEqual([
      "EvidenceDeleted",
      "EvidenceHidden",
      "EvidenceErased",
      "EvidenceErased",
    ]);
    expect(events[0]?.data).toMatchObject({ file_id: first, reason_code: "other" });
    expect(JSON.stringify(events)).not.toContain(reason);
    for (const gone of [first, copy]) {
      expect(await keyOf(gone)).toBe("destroyed");
      expect(await isStored(gone)).toBe(false);
    }
    expect([await keyOf(second), await isStored(second)]).toEqual(["present", true]);
    const look = await fixture.call("POST", admin(id, `/evidence/${first}`), {
      body: {},
      as: "admin",
    });
    expect(look.statusCode).toBe(404);
    expect((await fixture.api.reports.load(id))?.status).toBe("approved");
  });

  it("happens once for a repeated request, and is refused for a deleted file or another report's", async () => {
    const { id, first } = await reportWithFiles();
    const other = await reportWithFiles();
    expect((await remove(id, other.first)).json().error.code).toBe("not_found");
    const key = "delete-it-only-once";
    const body = { reason_code: "illegible" };
    const answers = [
      await remove(id, first, body, { key }),
      await remove(id, first, body, { key }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await typesOf(id)).filter((type) => type === "EvidenceDeleted")).toHaveLength(1);
    const again = await remove(id, first);
    expect(refusal(again)).toEqual([410, "file_deleted"]);
  });

  it("requires a reason, with text if no code fits", async () => {
    const { id, first } = await reportWithFiles();
    for (const body of [{}, { reason_code: "whim" }, { reason_code: "other" }])
      expect((await remove(id, first, body)).statusCode, JSON.stringify(body)).toBe(400);
    const blank = await remove(id, first, { reason_code: "other", reason: "  " });
    expect(blank.json().error.fields).toHaveProperty("reason");
    expect(await keyOf(first)).toBe("present");
  });

  it("keeps the letter of an undecided request", async () => {
    const id = await calls.ownReport();
    const letter = await upload(fixture);
    const request_id = await calls.ask(id, letter);
    const refused = await remove(id, letter.id);
    expect(refusal(refused)).toEqual([409, "resolution_open"]);
    expect(await keyOf(letter.id)).toBe("present");
    await calls.staff(id, "/resolution/refuse", { request_id, reason: "No seal" });
    expect((await remove(id, letter.id)).statusCode).toBe(200);
    expect(await keyOf(letter.id)).toBe("destroyed");
    expect((await fixture.api.reports.load(id))?.resolution?.file_id).toBeNull();
  });
});
