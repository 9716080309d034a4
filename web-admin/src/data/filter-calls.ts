import type { Static } from "typebox";
import {
  SAVED_FILTER,
  SAVED_FILTERS,
  type SavedFilter,
  type SavedFiltersReply,
  type SaveFilter,
} from "#contracts/http/list-exports.ts";
import type { ApiClient } from "./api-client.ts";

/** The account's own saved filters. */
export interface FilterCalls {
  /** Those of all lists, the oldest first. */
  savedFilters(): Promise<readonly SavedFilter[]>;
  saveFilter(filter: SaveFilter): Promise<void>;
  deleteFilter(id: string): Promise<void>;
}

/** These calls with one session's client. */
export function filterCalls(client: ApiClient): FilterCalls {
  const path = (id: string) => SAVED_FILTER.replace(":id", id);
  return {
    async savedFilters() {
      const { json } = await client.request(SAVED_FILTERS);
      return (json as Static<typeof SavedFiltersReply>).data.filters;
    },
    async saveFilter(filter) {
      await client.command(SAVED_FILTERS, "POST", filter);
    },
    async deleteFilter(id) {
      await client.command(path(id), "DELETE", {});
    },
  };
}
