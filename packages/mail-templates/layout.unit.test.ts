import { describe, expect, it } from "vitest";
import { oneLine } from "./layout.ts";

describe("untrusted text in an email", () => {
  it("is put on one line, whatever line breaks and control characters it contains", () => {
    const name = " Bob\r\n\r\nYour account is locked:\u2028\u2029\u0085call\tus\u001b ";
    expect(oneLine(name)).toBe("Bob Your account is locked: call us");
  });

  it("is otherwise unchanged", () => {
    expect(oneLine("Zoë O'Neill-Díaz 🪑 عمر")).toBe("Zoë O'Neill-Díaz 🪑 عمر");
  });
});
