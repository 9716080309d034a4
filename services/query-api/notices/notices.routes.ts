import { DomainError } from "#contracts/domain-error.ts";
import {
  ADMIN_NOTICE,
  ADMIN_NOTICES,
  NoticeRecordReply,
  NoticesQuery,
  NoticesReply,
} from "#contracts/http/admin-notices.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import type { NoticeHistory } from "../history/notice-history.ts";
import { findNotice, findNotices, presentNotice, presentNoticeRecord } from "./notices.queries.ts";

const config = { roles: ["admin"], limit: "read" } as const;

/** DMCA notices as staff see them: their words and addresses are opened by the command side, event first. */
export function noticeRoutes(
  app: ServiceInstance,
  deps: {
    readonly db: ReadModelDatabase;
    readonly history: NoticeHistory;
    readonly freshness: ReadYourWrites;
  },
): void {
  const { db, history, freshness } = deps;
  const preHandler = freshness.waitFor(["inquiries"], "any");
  app.get(
    ADMIN_NOTICES,
    {
      config,
      schema: {
        tags: ["notices"],
        summary: "DMCA notices and counter-notices, the newest first",
        querystring: NoticesQuery,
        response: { 200: NoticesReply },
      },
      preHandler,
    },
    async ({ query }) => {
      const { rows, ...next } = await findNotices(db, query, new Date());
      return succeed({ notices: rows.map(presentNotice), ...next });
    },
  );
  app.get(
    ADMIN_NOTICE,
    {
      config,
      schema: {
        tags: ["notices"],
        summary: "A DMCA notice or counter-notice, with what was done about it",
        params: strict({ id: ReportId }),
        response: { 200: NoticeRecordReply },
      },
      preHandler,
    },
    async ({ params, log }) => {
      const row = await findNotice(db, params.id);
      if (!row) throw new DomainError("not_found", "There is no such notice, or it was erased");
      return succeed({ ...presentNoticeRecord(row), steps: await history.of(params.id, log) });
    },
  );
}
