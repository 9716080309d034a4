import type { ServiceInstance } from "#http/service.ts";
import type { ScanCheck } from "./scan-check.ts";

/** An address that belongs to nobody (RFC 5737). */
const STRANGER = "192.0.2.1";

/** Asks this process for its metrics as a stranger would. */
export function openMetricsCheck(app: () => Pick<ServiceInstance, "inject">): ScanCheck {
  return {
    code: "open_metrics",
    fine: "Strangers do not get the metrics of this process.",
    async find() {
      const { statusCode } = await app().inject({ url: "/metrics", remoteAddress: STRANGER });
      if (statusCode !== 200) return undefined;
      return "Strangers get /metrics. Set PUBLIC_URL and TRUST_PROXY as your proxies need, or OPERATIONS_PORT.";
    },
  };
}
