import type { CommandApiConfig } from "../../config.ts";
import { plainCheck, type ScanCheck } from "./scan-check.ts";

/** Settings of command-api that decide how safe it is. */
export type ScannedConfig = Pick<
  CommandApiConfig,
  "limits" | "clamavUrl" | "corsOrigins" | "publicUrl" | "erasuresUrl"
> & {
  /** Whether staff need a second factor now. */
  readonly staffFactor: () => "on" | "off";
};

const LOOPBACK = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** What the variables of this process switch off or leave open. */
export function configurationChecks(config: ScannedConfig): ScanCheck[] {
  const { limits, staffFactor, clamavUrl, corsOrigins = [], publicUrl, erasuresUrl } = config;
  const isPublic = publicUrl !== undefined && !LOOPBACK.test(publicUrl);
  const plain = corsOrigins.filter(
    (origin) => !origin.startsWith("https:") && !LOOPBACK.test(origin),
  );
  return [
    plainCheck(
      "rate_limits",
      "Requests are limited.",
      limits === "off"
        ? "Requests are not limited: passwords can be guessed as fast as they are answered. Remove RATE_LIMIT=off."
        : undefined,
    ),
    {
      code: "staff_second_factor",
      fine: "Staff need a second factor.",
      find: async () =>
        staffFactor() === "off"
          ? "Staff need no second factor: a password alone opens the console. Require it under Settings."
          : undefined,
    },
    plainCheck(
      "https",
      "The site is reached by HTTPS, or from this machine only.",
      isPublic && !publicUrl.startsWith("https:")
        ? "PUBLIC_URL is not https: passwords and sessions cross the network in the clear. Put a proxy with a certificate in front."
        : undefined,
    ),
    plainCheck(
      "cors_origins",
      "Pages of other origins that may call the API use HTTPS.",
      plain.length > 0
        ? `${plain.length} of the origins in CORS_ORIGINS use http: whoever is between can use the sessions of their visitors. Name https origins only.`
        : undefined,
    ),
    plainCheck(
      "virus_scan",
      "Uploads are scanned.",
      clamavUrl === undefined
        ? "Uploads are not scanned for viruses. Run clamd and set CLAMAV_URL."
        : undefined,
    ),
    plainCheck(
      "erasure_ledger",
      "Erasures are kept outside the stores.",
      erasuresUrl === undefined
        ? "Erasures are not kept outside the stores: a restored backup would bring erased people back. Set ERASURES_URL."
        : undefined,
    ),
  ];
}
