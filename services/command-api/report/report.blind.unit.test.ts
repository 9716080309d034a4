import { expect, it } from "vitest";
import { reportSubmitted } from "#test-kit/report-events.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { blindIndexes, reporterBlindIndexes } from "./report.blind.ts";

const index = createBlindIndexer(Buffer.alloc(32, 7));

// Reports stored years ago are compared by these values. A changed rule needs a new field name.
it("computes the same blind indexes as those stored in the log", () => {
  const submitted = reportSubmitted({
    personal: {
      email: " Dana.Ruiz@Example.COM",
      phone: "(303) 555-0142",
      first_6: "411111",
      last_4: "4242",
      chargebacks: [{ first_6: "555555", last_4: "4444" }],
      bank_account: "000-123456789",
      street_address: "1 North Main Street, Apt 4",
      zip: "80202-1234",
    },
  });
  if (submitted.type !== "ReportSubmitted" || !submitted.data.personal)
    throw new Error("no report");
  expect(blindIndexes(submitted.data.personal.report, index)).toEqual({
    email: ["zULGL9uz7n9JZ2YeLafCDjFFWF-5qkxiVNHJ7sNbuCE"],
    phone: ["Ls-ykco1deDYBTOsa-hNhruTrXZ9xJ1wfKqSQrQ9c_k"],
    card: [
      "JZ2AoKGJfQpKUrYbklEFS1UKkj7ztD-0RK43PuqvhJg",
      "xhBggXBsP1a8--xxm18yWJCzaHPrmn5OoNUPFubrWSE",
    ],
    bank_account: ["oGhLqKOdPGQI6yAxaHVK0xLpCt2j2C2wafjKtSqHvs4"],
    street_zip: ["wwgvVXAuw6XjQB7-8HkzdenSjzE0ODBrDgq2cp5KAEE"],
  });
  expect(reporterBlindIndexes(" Rae@Shop.example", index)).toEqual({
    email: "4GqCv3A8FHLCFON1eUko8nB10PPXDh8zNYeQRsbzN0o",
  });
});
