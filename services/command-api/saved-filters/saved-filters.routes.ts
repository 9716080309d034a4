import { DomainError } from "#contracts/domain-error.ts";
import {
  MAX_SAVED_FILTERS,
  SAVED_FILTER,
  SAVED_FILTERS,
  SavedFilterReply,
  SaveFilter,
} from "#contracts/http/list-exports.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

const staff = { roles: ["admin", "auditor"], limit: "write" } as const;

/** Registers the routes for staff's saved filters. They are private and decide nothing, so they are not events. */
export function savedFilterRoutes(app: ServiceInstance, { savedFilters }: WriteSide): void {
  const command = commandsOf(app, "accounts");
  command("POST", SAVED_FILTERS, {
    ...staff,
    summary: "Save a list's filter under a name",
    body: SaveFilter,
    reply: SavedFilterReply,
    async run(request) {
      // The same Idempotency-Key yields the same filter.
      const id = aggregateIdOf(request.envelope("", request.body).id);
      if (await savedFilters.add(id, request.actor.id, request.body))
        return succeed({ id }, { message: "Filter saved" });
      throw new DomainError(
        "conflict",
        `You have ${MAX_SAVED_FILTERS} saved filters. Delete one to save another.`,
      );
    },
  });
  command("DELETE", SAVED_FILTER, {
    ...staff,
    summary: "Delete a saved filter",
    params: strict({ id: ReportId }),
    body: strict({}),
    reply: SavedFilterReply,
    async run({ params: { id }, actor }) {
      // Another account's filter is treated as unknown.
      if (!(await savedFilters.delete(id.toLowerCase(), actor.id)))
        throw new DomainError("not_found", "Filter not found");
      return succeed({ id }, { message: "Filter deleted" });
    },
  });
}
