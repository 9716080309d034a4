import type { SearchDocument } from "#search/port.ts";

/** Returns a report as stored in the search index. */
export const searchDocument = (id: string, more: Partial<SearchDocument> = {}): SearchDocument => ({
  id,
  first_name: "Quinn",
  last_name: "Ames",
  title: "Disputed a delivered order",
  description: "Signed for the parcel, then disputed the charge.",
  city: "Denver",
  state: "CO",
  country: "US",
  amount_cents: 41_250,
  reasons: ["fraudulent"],
  submitted_at: "2026-11-20T08:00:00.123Z",
  ...more,
});
