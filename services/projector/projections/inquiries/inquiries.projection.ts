import { LOG_STREAM } from "#event-store/log-epoch.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { inquiries } from "./inquiry-row.ts";

/** What companies and agencies sent, as staff list it. Notices are no part of it. */
export function inquiriesProjection(): Projection {
  return keyedProjection({
    name: "inquiries",
    schema: projectedSchemas.inquiries,
    models: [inquiries],
    filter: { streamPrefixes: ["inquiry-", LOG_STREAM] },
    opens: true,
    erasedBy: ["InquiryErased"],
  });
}
