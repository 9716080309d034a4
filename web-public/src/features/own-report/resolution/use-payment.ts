import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { CHECKOUT_RETURN } from "#contracts/report/resolution.ts";
import { useAccountClient } from "../../../session/session-store-of.ts";

/** Where the request of a report for its banner is. */
export const resolutionPath = (reportId: string) =>
  `/api/account/reports/${encodeURIComponent(reportId)}/resolution`;

/** How the payer came back from the payment page. It says what they did there, not what arrived. */
export type Returned = "paid" | "left" | undefined;

/** Milliseconds between two looks at whether the payment has arrived, and how many there are. */
const LOOK_MS = 3_000;
const LOOKS = 40;

/**
 * How the payer came back. While a payment is on its way it looks again and again until that has arrived, for two
 * minutes.
 * The address forgets it, so that the page can be read again later.
 */
export function usePayment(
  reportId: string,
  resolution: OwnResolution | undefined,
  onChange: (resolution: OwnResolution) => void,
): { readonly returned: Returned; readonly isPaying: boolean } {
  const api = useAccountClient();
  const [params, setParams] = useSearchParams();
  const [returned, setReturned] = useState<Returned>(undefined);
  const said = params.get(CHECKOUT_RETURN.parameter);
  useEffect(() => {
    if (said === null) return;
    if (said === CHECKOUT_RETURN.paid) setReturned("paid");
    if (said === CHECKOUT_RETURN.left) setReturned("left");
    setParams((before) => without(before), { replace: true, preventScrollReset: true });
  }, [said, setParams]);
  const isDue = resolution?.stage === "letter_accepted";
  const { card } = resolution ?? {};
  const hasPaid = returned === "paid" || card === "on_its_way" || card === "other_amount";
  const isPaying = isDue && hasPaid;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told must not start it again.
  useEffect(() => {
    if (!isPaying) return;
    let left = LOOKS;
    const timer = setInterval(() => {
      left -= 1;
      if (left === 0) clearInterval(timer);
      const path = `${resolutionPath(reportId)}/state`;
      api
        .post<{ resolution: OwnResolution | null }>(path, { body: {} })
        .then(({ data }) => {
          const now = data?.resolution;
          if (now && now.stage !== "letter_accepted") onChange(now);
        })
        // The next look may succeed.
        .catch(() => undefined);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isPaying, api, reportId]);
  return { returned: isDue ? returned : undefined, isPaying };
}

function without(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete(CHECKOUT_RETURN.parameter);
  return rest;
}
