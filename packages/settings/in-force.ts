import type { Settings } from "#contracts/settings/settings-at.ts";

/** What the operator has named, and admins may replace. */
export interface Installed {
  readonly supportEmail: string;
  /** The support address when absent. */
  readonly salesEmail?: string | undefined;
}

/** The addresses of the registry's desks: those that admins have set, or else the operator's. */
export function desksIn(
  { supportEmail, salesEmail }: Settings,
  installed: Installed,
): { readonly support: string; readonly sales: string } {
  const support = supportEmail || installed.supportEmail;
  return { support, sales: salesEmail || installed.salesEmail || support };
}

/** Whether staff need a second factor. @param installed what the operator has named. */
export function staffFactorIn(
  { staffSecondFactor }: Pick<Settings, "staffSecondFactor">,
  installed: "on" | "off",
): "on" | "off" {
  return staffSecondFactor === "on" || staffSecondFactor === "off" ? staffSecondFactor : installed;
}
