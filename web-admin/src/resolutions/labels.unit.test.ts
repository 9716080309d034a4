import { expect, it } from "vitest";
import type { OpenResolution } from "#contracts/http/resolution.ts";
import { stageText } from "./labels.ts";

const request: OpenResolution = {
  id: "0f9619ff-8b86-4d11-b42d-00c04fc964ff",
  number: "R-0F961-9FF8B",
  first_name: "Quinn",
  last_name: "Ames",
  is_public: true,
  stage: "requested",
  fee: { currency: "USD", amount: 250 },
  since: "2026-11-23T12:00:00.000Z",
};

it("describes letter and payment of a request, and what blocks it", () => {
  expect(stageText(request)).toEqual({
    letter: "To be checked",
    payment: "Not due yet",
    hint: undefined,
  });
  expect(stageText({ ...request, stage: "letter_accepted" })).toMatchObject({
    letter: "Accepted",
    payment: "Due, not received",
  });
  const hidden = { ...request, is_public: false };
  expect(stageText(hidden).hint).toContain("accept the letter");
  expect(stageText({ ...hidden, stage: "letter_accepted" }).hint).toContain("banner will show");
});
