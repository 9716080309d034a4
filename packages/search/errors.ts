/** An invalid value; the caller's own schema should have refused it. */
export class InvalidSearch extends Error {
  override readonly name = "InvalidSearch";
}

/** The page token is damaged, or belongs to a search with other filters, another sort or size. */
export class InvalidPageToken extends Error {
  override readonly name = "InvalidPageToken";
  constructor() {
    super("the page token does not belong to this search");
  }
}

/** Most rows that can be reached by offset; page tokens reach all rows. */
export const MAX_WINDOW = 10_000;

/** Paging by offset ends at row `MAX_WINDOW`. */
export class BeyondWindow extends Error {
  override readonly name = "BeyondWindow";
  constructor() {
    super(`only the first ${MAX_WINDOW} rows can be reached by offset`);
  }
}

/** The engine is out of reach, or cannot answer now. The state is temporary. */
export class SearchUnavailable extends Error {
  // Also of its subclasses: by this name it is known as temporary.
  override readonly name = "SearchUnavailable";
}

/** No answer in time: the engine is away, or this call is too expensive for it. */
export class SearchTooSlow extends SearchUnavailable {}

/**
 * The engine will never accept this document. The message holds codes and no part of the document.
 */
export class SearchWriteRefused extends Error {
  override readonly name = "SearchWriteRefused";
}
