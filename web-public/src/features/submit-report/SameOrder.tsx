import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import type { SameOrder } from "#contracts/http/own-reports.ts";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { formatDate } from "../../lib/format.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useAccount, useSiteSession } from "../../session/site-session.ts";
import { useReportForm } from "./form-context.ts";
import type { FormState } from "./form-state.ts";
import { ReportField } from "./ReportField.tsx";

/** The order number, with a notice if the account has already reported that order. */
export function OrderField() {
  const { earlier } = useReportForm();
  return (
    <div>
      <ReportField field="tracking_number" />
      <div role="status">{earlier && <SameOrderNotice report={earlier} />}</div>
    </div>
  );
}

/** Shows the account's earlier report. Submitting another one is still possible. */
export function SameOrderNotice({ report }: { report: NonNullable<SameOrder> }) {
  const { id, created_at, status } = report;
  const end = status === "rejected" ? ", and that report was rejected" : "";
  return (
    <Notice tone="warning">
      <p>
        You reported this order on {formatDate(created_at)}
        {end}.{" "}
        <Link to={paths.ownReport(id)} target="_blank">
          See that report
        </Link>{" "}
        in another tab. You can still submit this one.
      </p>
    </Notice>
  );
}

/** Milliseconds without a change before the registry is queried. */
const PAUSE_MS = 500;

/** Returns the account's own report about the form's order; null if there is none. */
export function useSameOrder(fields: FormState["fields"]): SameOrder {
  const session = useSiteSession();
  const owner = useAccount().user?.id;
  const order = fields.tracking_number.trim();
  const merchant = fields.public_username.trim();
  const [earlier, setEarlier] = useState<SameOrder>(null);
  useEffect(() => {
    setEarlier(null);
    if (!owner || !order) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      const { signal } = leaving;
      const query = { order, ...(merchant ? { merchant } : {}) };
      accountClient(storeOf(session))
        .get<{ report: SameOrder }>("/api/account/reports/same-order", { query, signal })
        .then(({ report }) => {
          if (!signal.aborted) setEarlier(report);
        })
        // The form works without it.
        .catch(() => undefined);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [session, owner, order, merchant]);
  return earlier;
}
