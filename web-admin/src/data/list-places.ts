import { besideRow, LIST_END, LIST_START, PLACE } from "#contracts/http/list-place.ts";

interface Asked {
  /** Everything but the page: resource, filter, order. */
  readonly list: string;
  readonly first: number;
  readonly size: number;
}

/** So many lists are remembered. A record's page reads some of its own: anyone who comes back finds the page again. */
const MOST_LISTS = 10;

/**
 * Remembers the first and the last row of the pages that were read, so that the pages beside them are asked for
 * by a row. That finds them however deep they are, and rows that come or go meanwhile shift nothing. Only
 * the lists that were read last are remembered, in this window's memory: rows hold names.
 */
export class ListPlaces {
  /** Places by list, the one that was read last at the end. */
  readonly #lists = new Map<string, Map<string, string>>();

  /** The address with the place of its page, where that is known. */
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
    if (oldest !== undefined && this.#lists.size > MOST_LISTS) this.#lists.delete(oldest);
    return places;
  }
}

function pageOf({ first, size }: Pick<Asked, "first" | "size">): string {
  return `${first} ${size}`;
}

/** @returns undefined where the address asks for no page of a list. */
function askedBy(url: string): Asked | undefined {
  const [path = "", text = ""] = url.split("?");
  const query = new URLSearchParams(text);
  const range = /^\[(\d+),(\d+)\]$/.exec(query.get("range") ?? "");
  if (!range) return undefined;
  query.delete("range");
  const [first, last] = [Number(range[1]), Number(range[2])];
  return { list: `${path}?${query}`, first, size: last - first + 1 };
}
