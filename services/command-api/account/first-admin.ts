import { systemCaller } from "../kernel/envelope.ts";
import type { AccountService } from "./account.service.ts";

/**
 * Creates the first admin if there is none. Safe to run in several processes.
 * @returns whether this call created it.
 */
export async function addFirstAdmin(
  accounts: Pick<AccountService, "firstAdmin" | "add">,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<boolean> {
  if (await accounts.firstAdmin()) return false;
  const profile = { role: "admin", firstName: "First", lastName: "Admin" } as const;
  const caller = systemCaller(new Date().toISOString());
  const added = await accounts.add({ email, password, ...profile }, caller);
  if (added || (await accounts.firstAdmin())) return added !== null;
  throw new Error("could not create the first admin: the address is taken");
}
