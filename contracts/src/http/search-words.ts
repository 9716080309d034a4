/**
 * The words of the search form. They are kept apart from the schemas so that a page can load them
 * without those.
 */

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

/** For a search by phone number of somebody who may not search by it. */
export const PHONE_NEEDS_ACCOUNT =
  "Searching by phone number needs an account with a confirmed email address.";
