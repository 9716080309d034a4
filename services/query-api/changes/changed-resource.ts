import type { Role } from "#contracts/http/auth.ts";
import { CHANGED_RESOURCES, type Change, type ChangedResource } from "#contracts/http/changes.ts";

/** Of each kind of stream, what its events change. Events of all other streams are in the audit log alone. */
const RESOURCE_OF: Readonly<Record<string, ChangedResource>> = {
  content: "content",
  inquiry: "inquiries",
  notice: "inquiries",
  report: "reports",
  settings: "settings",
  template: "templates",
  user: "users",
};

/** Things of one kind that are named one by one; more of them are said at once. */
export const NAMED_AT_MOST = 100;

/** What changes, collected so that nothing is said twice. */
export class Collected {
  /** Ids by resource; null where they are too many. */
  readonly #ids = new Map<ChangedResource, Set<string> | null>();

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** Takes in an event of this stream. */
  addStream(stream: string): void {
    const dash = stream.indexOf("-");
    const kind = dash < 0 ? stream : stream.slice(0, dash);
    const resource = RESOURCE_OF[kind];
    if (resource) this.add({ resource, ...(dash < 0 ? {} : { id: stream.slice(dash + 1) }) });
    this.add({ resource: "audit-logs" });
  }

  add({ resource, id }: Change): void {
    const ids = this.#ids.get(resource);
    if (ids === null) return;
    if (id === undefined || (ids && ids.size >= NAMED_AT_MOST)) this.#ids.set(resource, null);
    else if (ids) ids.add(id);
    else this.#ids.set(resource, new Set([id]));
  }

  /** What somebody with this role is told. */
  for(role: Role): Change[] {
    return [...this.#ids].flatMap(([resource, ids]): Change[] => {
      const roles: readonly Role[] = CHANGED_RESOURCES[resource];
      if (!roles.includes(role)) return [];
      return ids ? [...ids].map((id) => ({ resource, id })) : [{ resource }];
    });
  }

  clear(): void {
    this.#ids.clear();
  }
}
