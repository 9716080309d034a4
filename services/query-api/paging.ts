import { invalidRequest } from "#http/validation.ts";

/** Number of rows that offsets may reach; see `MAX_WINDOW` of the search. */
export const MAX_WINDOW = 10_000;

/** How many rows to skip, and how many to return. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Refuses a page that ends past row 10,000.
 * @param field name of the request's parameter, for the error.
 * @throws {DomainError} `invalid_request`
 */
export function withinWindow(page: Page, field: string): Page {
  if (page.offset + page.limit <= MAX_WINDOW) return page;
  throw invalidRequest({
    [field]: "Only the first 10,000 rows can be reached this way: narrow the filter",
  });
}

/**
 * The rows of a page; pages count from 1. @throws {DomainError} `invalid_request` past row 10,000.
 */
export function pageOf(page: number, limit: number): Page {
  return withinWindow({ offset: (page - 1) * limit, limit }, "page");
}
