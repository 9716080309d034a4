import { invalidRequest } from "#http/validation.ts";

/** Rows that may be reached by offset; see `MAX_WINDOW` of the search. */
export const MAX_WINDOW = 10_000;

/** Rows to skip, and rows to give. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Refuses a page that ends past row 10,000.
 * @param field name on the wire of what asked for it.
 * @throws {DomainError} `invalid_request`
 */
export function withinWindow(page: Page, field: string): Page {
  if (page.offset + page.limit <= MAX_WINDOW) return page;
  throw invalidRequest({
    [field]: "Only the first 10,000 rows can be reached this way: narrow the filter",
  });
}

/** The rows of page `page` (from 1). @throws {DomainError} `invalid_request` past row 10,000. */
export function pageOf(page: number, limit: number): Page {
  return withinWindow({ offset: (page - 1) * limit, limit }, "page");
}
