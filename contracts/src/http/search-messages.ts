/** Labels and messages of the search form, apart from the schemas so that a page can load them alone. */

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

/** Message for a visitor who searches by email or phone. */
export const signInToSearchBy = (contact: Contact) => `Sign in to search by ${contact}`;

/** Message for an unconfirmed account that searches by email or phone. */
export const confirmToSearchBy = (contact: Contact) =>
  `Confirm your email address to search by ${contact}`;

/** Message for an account that has used up its daily searches of this kind. */
export const CONTACT_SEARCHES_USED =
  "You've reached the daily limit for searches by email and phone.";
