import { describe, expect, it } from "vitest";
import { greeting, reportCalled } from "./greeting.ts";

describe("the words of a mail", () => {
  it("name the reporter and the report where they are given", () => {
    const words = { firstName: "Zoë 🪑", title: "Bought at shop.example" };
    expect(greeting(words)).toBe("Hello Zoë 🪑,");
    expect(reportCalled(words)).toBe('report "Bought at shop.example"');
  });

  it.each([undefined, { firstName: "", title: "" }])("are fixed without: %o", (words) => {
    expect(greeting(words)).toBe("Hello,");
    expect(reportCalled(words)).toBe("report");
  });
});
