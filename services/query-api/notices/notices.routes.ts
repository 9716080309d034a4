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
import { noticeHistory } from "../history/other-histories.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findNotice, findNotices, presentNotice, presentNoticeRecord } from "./notices.queries.ts";

/** DMCA notices as staff see them. Texts and addresses are decrypted by the command side, which logs it first. */
export function noticeRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, freshness } = side;
  const history = noticeHistory(side);
  const read = reads(["admin"], "notices", freshness.waitFor(["inquiries"], "any"));
  app.get(
    ADMIN_NOTICES,
    read({
      summary: "DMCA notices and counter-notices, newest first",
      querystring: NoticesQuery,
      reply: NoticesReply,
    }),
    async ({ query }) => {
      const { rows, ...next } = await findNotices(db, query, new Date());
      return succeed({ notices: rows.map(presentNotice), ...next });
    },
  );
  app.get(
    ADMIN_NOTICE,
    read({
      summary: "A DMCA notice or counter-notice, with its history",
      params: strict({ id: ReportId }),
      reply: NoticeRecordReply,
    }),
    async ({ params, log }) => {
      const row = await findNotice(db, params.id);
      if (!row) throw new DomainError("not_found", "This notice doesn't exist or was erased");
      return succeed({ ...presentNoticeRecord(row), steps: await history.of(params.id, log) });
    },
  );
}
