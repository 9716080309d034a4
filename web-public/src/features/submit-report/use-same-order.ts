import { useEffect, useState } from "react";
import type { SameOrder } from "#contracts/http/own-reports.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useAccount, useSiteSession } from "../../session/site-session.ts";
import type { FormState } from "./form-state.ts";

/** Milliseconds without a change after which the registry is asked. */
const PAUSE_MS = 500;

/** A report of the account's own about the order in the form; null where none is known. */
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
