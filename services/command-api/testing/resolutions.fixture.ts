import { expect } from "vitest";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { chargeback, type Fixture } from "./command-api.fixture.ts";
import { admin, SUBMIT } from "./reports.fixture.ts";
import { named, upload } from "./uploads.fixture.ts";

/** Calls about the RESOLVED banner. */
export function resolutionCalls(fixture: () => Fixture) {
  const url = (id: string) => `/prod/api/account/reports/${id}/resolution`;
  const calls = {
    /** Submits a report as the user, and publishes it by default. @returns its ID. */
    async ownReport(status: "approved" | "pending" = "approved"): Promise<string> {
      const sent = await fixture().call("POST", SUBMIT, { body: chargeback, as: "user" });
      const { id } = sent.json().data;
      if (status === "approved") await calls.staff(id, "/approve", {});
      return id;
    },
    /** Sends a staff command, which must succeed. */
    async staff(id: string, path: string, body: object) {
      const answer = await fixture().call("POST", admin(id, path), { body, as: "admin" });
      expect(answer.statusCode, answer.body).toBe(200);
    },
    send: (id: string, body: object, as?: "user" | "admin" | "auditor", key?: string) =>
      fixture().call("POST", url(id), { body, ...(as ? { as } : {}), ...(key ? { key } : {}) }),
    async body(letter?: Awaited<ReturnType<typeof upload>>) {
      const file = letter ?? (await upload(fixture()));
      return { letter: named(file, "Quinn's letter.pdf"), terms_version: TERMS_VERSION };
    },
    /** Requests the banner. @returns the request's ID. */
    async ask(id: string, letter?: Awaited<ReturnType<typeof upload>>): Promise<string> {
      const answer = await calls.send(id, await calls.body(letter), "user");
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json().data.resolution.request_id;
    },
    withdraw: (id: string, request_id: string, as: "user" | "admin" = "user") =>
      fixture().call("DELETE", url(id), { body: { request_id }, as }),
    /** A report whose letter has been accepted. */
    async accepted(letter?: Awaited<ReturnType<typeof upload>>) {
      const id = await calls.ownReport();
      const request_id = await calls.ask(id, letter);
      await calls.staff(id, "/resolution/accept", { request_id });
      return { id, request_id };
    },
    payment: (request_id: string, reference = "Transfer 118") => ({
      request_id,
      method: "bank_transfer",
      reference,
    }),
  };
  return calls;
}
