import { besideRow, LIST_END, LIST_START, PLACE } from "#contracts/http/list-place.ts";

interface Asked {
  /** Everything except the page: resource, filter, sort order. */
  readonly list: string;
  readonly first: number;
  readonly size: number;
}

/** Lists to remember. A record's page reads some of its own, and going back must still find the place. */
const MAX_LISTS = 10;

/**
 * Remembers the first and last row of each page read, so that adjacent pages can be requested by row (keyset paging).
 * That is fast at any depth, and rows that appear or disappear shift nothing. Only the most recent lists are
 * remembered, and only in memory, because rows contain names.
 */
export class ListPlaces {
  /** Places by list, the most recently used last. */
  readonly #lists = new Map<string, Map<string, string>>();

  /** Adds the place of its page to the URL, if known. */
  ask(url: string): string {
    const asked = askedBy(url);
    const place = asked && this.#placesOf(asked).get(pageOf(asked));
    return place === undefined ? url : `${url}&${new URLSearchParams({ [PLACE]: place })}`;
  }

  /** @param url without a place. */
  answered(url: string, headers: Headers): void {
    const asked = askedBy(url);
    const start = headers.get(LIST_START);
    const end = headers.get(LIST_END);
    if (!asked || !start || !end) return;
    const { first, size } = asked;
    const places = this.#placesOf(asked);
    places.set(pageOf({ first: first + size, size }), besideRow("after", end));
    if (first > size) places.set(pageOf({ first: first - size, size }), besideRow("before", start));
  }

  #placesOf({ list }: Asked): Map<string, string> {
    const places = this.#lists.get(list) ?? new Map<string, string>();
    this.#lists.delete(list);
    this.#lists.set(list, places);
    const [oldest] = this.#lists.keys();
    if (oldest !== undefined && this.#lists.size > MAX_LISTS) this.#lists.delete(oldest);
    return places;
  }
}

function pageOf({ first, size }: Pick<Asked, "first" | "size">): string {
  return `${first} ${size}`;
}

/** @returns undefined if the URL does not ask for a page of a list. */
function askedBy(url: string): Asked | undefined {
  const [path = "", text = ""] = url.split("?");
  const query = new URLSearchParams(text);
  const range = /^\[(\d+),(\d+)\]$/.exec(query.get("range") ?? "");
  if (!range) return undefined;
  query.delete("range");
  const [first, last] = [Number(range[1]), Number(range[2])];
  return { list: `${path}?${query}`, first, size: last - first + 1 };
}
