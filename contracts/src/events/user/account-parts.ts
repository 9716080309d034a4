import { Type } from "typebox";
import { strict } from "../../report/fields.ts";

/** A text that is not empty. */
export const Text = Type.String({ minLength: 1 });
export const Address = Type.String({ minLength: 3 });
export const Id = Type.String({ format: "uuid" });

/**
 * Of an account's address, as `ReportSubmitted` has it of the reporter's: equal addresses, equal
 * hashes.
 */
export const AccountBlind = strict({ email: Text });
