import type { RequestResolution, StaffResolutionCommand } from "#contracts/http/resolution.ts";
import type { NamedFile } from "../evidence/named-file.ts";

/** What staff send, and what the service knows of it. */
type OfStaff = StaffResolutionCommand & {
  /** Admins who are mailed of a payment. */
  readonly told: readonly string[];
};

/** The commands about the RESOLVED banner of a report. */
export type ResolutionCommand =
  | { readonly type: "RequestResolution"; readonly body: RequestResolution }
  | { readonly type: "WithdrawResolution"; readonly requestId: string }
  | OfStaff;

/** What is added to a request before it is decided. */
export interface PreparedRequest {
  /** The terms that are in force. */
  readonly termsVersion: string;
  /** The letter, once it is the report's. */
  readonly letter?: NamedFile;
}
