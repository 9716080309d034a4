import { savedFilterCell } from "#command-tables/files.ts";
import {
  SAVED_FILTERS,
  type SavedFilter,
  SavedFiltersReply,
} from "#contracts/http/list-exports.ts";
import { subjects } from "#contracts/sealed.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { openColumn } from "#vault/sealing/seal.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";

/** The caller's saved filters, read from the command side's table, so no read waits. */
export function savedFilterRoutes(app: ServiceInstance, { db, keys }: ReadSide): void {
  const read = reads(["admin", "auditor"], "accounts");
  app.get(
    SAVED_FILTERS,
    read({
      summary: "Your saved filters of all lists",
      reply: SavedFiltersReply,
    }),
    async ({ actor }) => {
      const rows = await db
        .selectFrom("command.saved_filter")
        .select(["id", "list", "sealed"])
        .where("account_id", "=", actor.id)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      const subject = subjects.account(actor.id);
      const found = rows.length > 0 ? (await keys.get([subject])).get(subject) : undefined;
      if (found?.state !== "present") return succeed({ filters: [] });
      const filters = rows.map(({ id, list, sealed }) => {
        const named = openColumn(found.key, sealed, savedFilterCell(id));
        return { id, list, ...(named as object) } as SavedFilter;
      });
      return succeed({ filters });
    },
  );
}
