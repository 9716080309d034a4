import { Type } from "typebox";
import { codes, ReportId, strict } from "../report/fields.ts";
import { REPORT_STATUSES } from "../report/words.ts";

/** Whose document or payment it is, in a list over all reports. */
export const ListedReport = strict({
  id: ReportId,
  /** As in mails. */
  number: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  status: codes(REPORT_STATUSES),
});
