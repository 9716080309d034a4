/** The words of the search form. They are kept apart from the schemas so that a page can load them without those. */

export const SEARCH_SORTS = {
  relevance: "Best match",
  newest: "Newest",
  oldest: "Oldest",
  amount_high: "Amount, high to low",
  amount_low: "Amount, low to high",
} as const;
export type SearchSort = keyof typeof SEARCH_SORTS;

/** Results per page. */
export const SEARCH_PAGE_SIZE = 9;

export type Contact = "email" | "phone";

/** For a search by email or phone without an account. */
export const signInToSearchBy = (contact: Contact) => `Sign in to search by ${contact}`;

/** For the same by an account whose address is not confirmed. */
export const confirmToSearchBy = (contact: Contact) =>
  `Confirm your email address to search by ${contact}`;

/** For more of them than an account may make in a day. */
export const CONTACT_SEARCHES_USED =
  "You've reached the daily limit for searches by email and phone.";
