import { RouterContextProvider } from "react-router-dom";
import { describe, expect, it } from "vitest";
import { type Answer, fakeRegistry, ok, refusal } from "../../../testing/fake-registry.ts";
import { apiContext } from "../../api/api-context.ts";
import { createApiClient } from "../../api/client.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { submitReportAction } from "./submit-report.action.ts";

const ROUTE = "POST /prod/api/reports/submit";

async function submit(answer: Answer) {
  const { fetch, calls } = fakeRegistry({ [ROUTE]: answer });
  const position = { read: () => undefined, write: () => undefined };
  const api = createApiClient({ baseUrl: "http://registry.test", position, fetch });
  const request = new Request("http://site.test/report", {
    method: "POST",
    body: JSON.stringify({ payload: { title: "t" }, idempotencyKey: "0123456789abcdef" }),
  });
  const result = await submitReportAction({
    request,
    params: {},
    url: new URL(request.url),
    pattern: "/report",
    context: new RouterContextProvider(new Map([[apiContext, api]])),
  });
  return { result, calls };
}

describe("submitting a report", () => {
  it("sends the payload under the form's key and passes the server's message on", async () => {
    const answer = ok({ id: "r1", status: "pending" });
    const { result, calls } = await submit({
      ...answer,
      body: { ...(answer.body as object), message: "Report submitted successfully!" },
    });
    expect(result).toEqual({
      state: "submitted",
      reportId: "r1",
      message: "Report submitted successfully!",
    });
    expect(calls[0]?.body).toEqual({ title: "t" });
    expect(calls[0]?.headers.get("idempotency-key")).toBe("0123456789abcdef");
  });

  it("says what was refused, by field", async () => {
    const { result } = await submit(
      refusal(400, "invalid_request", "Phone is not valid.", { phone: "Phone is not valid" }),
    );
    expect(result).toEqual({
      state: "refused",
      message: "Phone is not valid.",
      fields: { phone: "Phone is not valid" },
    });
  });

  it("explains a key that an earlier try has used", async () => {
    const { result } = await submit(refusal(422, "key_reused", "The key was used."));
    expect(result.message).toMatch(/^An earlier attempt had already reached us/);
  });

  it.each([
    ["nobody answers", undefined, "Failed to submit report"],
    [
      "the server fails",
      refusal(500, "internal", "Something went wrong."),
      "Something went wrong.",
    ],
    ["the reply has no report in it", { body: { success: true } }, "Failed to submit report"],
  ])("does not know whether it arrived when %s", async (_what, answer, message) => {
    expect((await submit(answer)).result).toEqual({ state: "unknown", message });
  });
});

describe("the key of a form", () => {
  it("is new each time, with a length that the server accepts", () => {
    const keys = new Set(Array.from({ length: 50 }, newIdempotencyKey));
    expect(keys.size).toBe(50);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});
