import { describe, expect, it } from "vitest";
import { maskBody } from "./mask-body.ts";

const report = {
  revision: 4,
  first_name: "Quinn",
  title: "Charged back",
  chargebacks: [{ notes: "Pays with 4111 1111 1111 1111" }],
};

describe("what the console asks to be masked", () => {
  it("is the selected text, at its place in a text", () => {
    expect(maskBody(report, " 4111 1111 1111 1111 ")).toEqual({
      revision: 4,
      places: [{ field: "chargebacks.0.notes", start: 10, end: 29 }],
    });
  });

  it.each(["", "11", "Quinn", "Not there"])(
    "is all that looks private where nothing of a text is selected: %j",
    (selected) => {
      expect(maskBody(report, selected)).toEqual({ revision: 4 });
    },
  );
});
