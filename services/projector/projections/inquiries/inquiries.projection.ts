import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { inquiries } from "./inquiry-row.ts";
import { notices } from "./notice-row.ts";

/** What companies and agencies sent, and DMCA notices, as staff list them. */
export function inquiriesProjection(): Projection {
  return keyedProjection({
    name: "inquiries",
    schema: projectedSchemas.inquiries,
    models: [inquiries, notices],
    filter: { streamPrefixes: ["inquiry-", "notice-", LOG_STREAM] },
    opens: true,
    erasedBy: ["InquiryErased", "NoticeErased"],
  });
}
