import { Type } from "typebox";
import { strict } from "../../report/fields.ts";

/** A text that is not empty. */
export const Text = Type.String({ minLength: 1 });
export const Address = Type.String({ minLength: 3 });
export const Id = Type.String({ format: "uuid" });

/**
 * Keyed hash of an account's address, computed as for the reporter's in `ReportSubmitted`: equal
 * addresses have equal hashes.
 */
export const AccountBlind = strict({ email: Text });
