import { DomainError } from "#contracts/domain-error.ts";
import {
  ADMIN_INQUIRIES,
  ADMIN_INQUIRY,
  InquiriesQuery,
  InquiriesReply,
  InquiryRecordReply,
} from "#contracts/http/admin-inquiries.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { inquiryHistory } from "../history/other-histories.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findInquiries, findInquiry, presentInquiry } from "./inquiries.queries.ts";

/** Inquiries as staff see them. Texts and addresses are decrypted by the command side, which logs it first. */
export function inquiryRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, freshness } = side;
  const history = inquiryHistory(side);
  const read = reads(["admin"], "inquiries", freshness.waitFor(["inquiries"], "any"));
  app.get(
    ADMIN_INQUIRIES,
    read({
      summary: "Inquiries, newest first",
      querystring: InquiriesQuery,
      reply: InquiriesReply,
    }),
    async ({ query }) => {
      const { rows, ...next } = await findInquiries(db, query, new Date());
      return succeed({ inquiries: rows.map(presentInquiry), ...next });
    },
  );
  app.get(
    ADMIN_INQUIRY,
    read({
      summary: "An inquiry, with its history",
      params: strict({ id: ReportId }),
      reply: InquiryRecordReply,
    }),
    async ({ params, log }) => {
      const row = await findInquiry(db, params.id);
      if (!row) throw new DomainError("not_found", "This inquiry doesn't exist or was erased");
      return succeed({ ...presentInquiry(row), steps: await history.of(params.id, log) });
    },
  );
}
