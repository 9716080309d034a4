/** An invalid value; the caller's own schema should have refused it. */
export class InvalidSearch extends Error {
  override readonly name = "InvalidSearch";
}

/** The page token is damaged, or belongs to a search with other filters, sort or size. */
export class InvalidPageToken extends Error {
  override readonly name = "InvalidPageToken";
  constructor() {
    super("the page token does not belong to this search");
  }
}

/** Rows that can be reached by offset; page tokens reach them all. */
export const MAX_WINDOW = 10_000;

/** Paging by offset ends at row `MAX_WINDOW`. */
export class BeyondWindow extends Error {
  override readonly name = "BeyondWindow";
  constructor() {
    super(`only the first ${MAX_WINDOW} rows can be reached by offset`);
  }
}

/** The engine is out of reach, or cannot answer now; it comes back by itself. */
export class SearchUnavailable extends Error {
  override readonly name = "SearchUnavailable";
}

/** The engine will never take this document. The message holds codes, nothing of the document. */
export class SearchWriteRefused extends Error {
  override readonly name = "SearchWriteRefused";
}
