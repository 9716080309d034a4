import type { Query } from "@tanstack/react-query";
import type { Change, ChangedResource } from "#contracts/http/changes.ts";

/** First key parts of the queries that show data of a resource. */
const SHOWN_BY: Readonly<Record<ChangedResource, readonly string[]>> = {
  "audit-logs": ["audit-logs"],
  content: ["content"],
  inquiries: ["inquiries", "notices", "notifications"],
  queue: ["queue"],
  reports: [
    "reports",
    "dashboard",
    "deletions",
    "documents",
    "notifications",
    "payments",
    "queue",
    "resolutions",
  ],
  settings: ["settings"],
  templates: ["templates"],
  users: ["users", "dashboard"],
};

/**
 * Second key parts of the queries for a single record. The third part is its ID, or an object with it as in
 * react-admin.
 */
const ONE: ReadonlySet<unknown> = new Set(["getOne", "history", "one"]);

/** Collects changes until the console refetches. */
export class ChangedQueries {
  /** IDs by the first key part; null if any record may have changed. */
  readonly #ids = new Map<string, Set<string> | null>();
  #isAnything = false;

  get isEmpty(): boolean {
    return !this.#isAnything && this.#ids.size === 0;
  }

  /** @param changes undefined if anything may have changed. */
  add(changes: readonly Change[] | undefined): void {
    if (!changes) this.#isAnything = true;
    for (const { resource, id } of changes ?? [])
      for (const name of SHOWN_BY[resource] ?? []) {
        const ids = this.#ids.get(name);
        if (id === undefined) this.#ids.set(name, null);
        else if (ids === undefined) this.#ids.set(name, new Set([id]));
        else ids?.add(id);
      }
  }

  /**
   * Whether the query shows something that has changed. Pages with a form don't refetch on their own; they set
   * `refetchOnWindowFocus: false`.
   */
  concern({
    queryKey: [name, kind, thing],
    options,
  }: Pick<Query, "queryKey" | "options">): boolean {
    const { refetchOnWindowFocus } = options as { refetchOnWindowFocus?: unknown };
    if (refetchOnWindowFocus === false) return false;
    if (this.#isAnything) return true;
    const ids = this.#ids.get(String(name));
    const id = (thing as { readonly id?: unknown } | null | undefined)?.id ?? thing;
    if (ids === undefined) return false;
    return ids === null || !ONE.has(kind) || typeof id !== "string" || ids.has(id);
  }

  clear(): void {
    this.#ids.clear();
    this.#isAnything = false;
  }
}
