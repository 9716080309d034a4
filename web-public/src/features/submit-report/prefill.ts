import { given } from "#contracts/given.ts";
import type { User } from "#contracts/http/auth.ts";
import type { Prefilled } from "./form-state.ts";

/**
 * What an account says of itself, for the reporter's fields. The public company name is not among
 * them: whoever reports decides on each report whether it stands on it.
 */
export function prefillOf(user: User): Prefilled {
  return given({
    reporter_first_name: user.first_name,
    reporter_last_name: user.last_name,
    reporter_email: user.email,
    reporter_phone: user.phone,
    reporter_company_name: user.company,
  });
}
