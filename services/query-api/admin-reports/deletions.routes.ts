import { given } from "#contracts/given.ts";
import {
  DELETIONS,
  type Deletion,
  DeletionsReply,
  LISTED_DELETIONS,
} from "#contracts/http/deletions.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentAsked } from "./admin-reports.presenter.ts";
import { findHiddenReports, findRequestedDeletions } from "./admin-reports.queries.ts";
import { concernsOf } from "./own-reports.ts";

/** Deletions that can be undone, and those that wait for another admin. */
export function deletionRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, names, freshness } = side;
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports"], "any"));
  app.get(
    DELETIONS,
    read({
      summary: "Deleted reports that aren't erased yet, and deletions awaiting another admin",
      reply: DeletionsReply,
    }),
    async ({ actor, log }) => {
      const [requested, hidden, concerns] = await Promise.all([
        findRequestedDeletions(db),
        findHiddenReports(db),
        concernsOf(actor.id, side),
      ]);
      const found = [
        ...requested
          .slice(0, LISTED_DELETIONS)
          .flatMap(({ deletion_request: asked, ...row }) =>
            asked ? [{ row, asked, eraseAt: undefined }] : [],
          ),
        ...hidden
          .slice(0, LISTED_DELETIONS)
          .map(({ deletion, ...row }) => ({ row, asked: deletion, eraseAt: deletion.erase_at })),
      ];
      const nameOf = await names.nameOf(
        found.map(({ asked }) => asked.by),
        log,
      );
      const deletions = found.map(({ row, asked, eraseAt }): Deletion => {
        const { id, first_name, last_name, title, report_type, status } = row;
        return {
          ...{ id, first_name, last_name, title, report_type, status },
          ...presentAsked(asked, nameOf),
          ...given({ erase_at: eraseAt, own: concerns(row) || undefined }),
        };
      });
      const has_more = [requested, hidden].some(({ length }) => length > LISTED_DELETIONS);
      return succeed({ deletions, has_more });
    },
  );
}
