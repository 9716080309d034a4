import { DomainError } from "#contracts/domain-error.ts";
import { rejectionLabel } from "#contracts/report/words.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";

/** @throws {DomainError} `invalid_request`: an admin has switched the reason off. */
export function refuseReasonOff(
  code: string | undefined,
  { rejectReasonsOff }: Pick<Settings, "rejectReasonsOff">,
): void {
  if (code === undefined || !rejectReasonsOff.includes(code)) return;
  const message = `“${rejectionLabel(code)}” is not among the reasons for rejection any more. Choose another one.`;
  throw new DomainError("invalid_request", message, { reason_code: message });
}
