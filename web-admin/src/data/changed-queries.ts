import type { Query } from "@tanstack/react-query";
import type { Change, ChangedResource } from "#contracts/http/changes.ts";

/** First parts of the keys of the queries that show something of a resource. */
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

/** Second parts of the keys of the queries for one thing. The third is its id, or has it as react-admin's keys do. */
const ONE: ReadonlySet<unknown> = new Set(["getOne", "history", "one"]);

/** What has changed, collected until the console reads it again. */
export class ChangedQueries {
  /** Ids by the first part of a key; null where anything may have changed. */
  readonly #ids = new Map<string, Set<string> | null>();
  #isAnything = false;

  get isEmpty(): boolean {
    return !this.#isAnything && this.#ids.size === 0;
  }

  /** @param changes undefined when anything may have changed. */
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
   * Whether the query shows something that has changed. Pages into which somebody types read nothing
   * again by themselves, and say so with `refetchOnWindowFocus: false`.
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
