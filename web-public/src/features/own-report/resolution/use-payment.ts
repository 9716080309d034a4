import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { CHECKOUT_RETURN } from "#contracts/report/resolution.ts";
import { useAccountClient } from "../../../session/session-store-of.ts";

/** API path of a report's banner request. */
export const resolutionPath = (reportId: string) =>
  `/api/account/reports/${encodeURIComponent(reportId)}/resolution`;

/** How the payer came back from the payment page: what they did there, not whether the payment arrived. */
export type Returned = "paid" | "left" | undefined;

/** Poll interval in milliseconds, and number of polls. */
const POLL_MS = 3_000;
const LOOKS = 40;

/**
 * Tracks how the payer came back. While a payment is processing, polls for two minutes until it has arrived.
 * Removes the parameter from the URL, so that the page can be reloaded later.
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
        // The next poll may succeed.
        .catch(() => undefined);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isPaying, api, reportId]);
  return { returned: isDue ? returned : undefined, isPaying };
}

function without(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete(CHECKOUT_RETURN.parameter);
  return rest;
}
