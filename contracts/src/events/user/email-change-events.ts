import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id } from "./account-parts.ts";

/**
 * The owner wants another address. A link is mailed to it, and the present address gets a warning.
 * An earlier request is void.
 */
export const EmailChangeRequested = defineEvent(
  "EmailChangeRequested",
  1,
  strict({ link: OneTimeLink }),
  { account: strict({ email: Address }) },
  { required: ["account"] },
);

/** The owner withdrew the request for another address. */
export const EmailChangeWithdrawn = defineEvent("EmailChangeWithdrawn", 1, strict({}), {});

/**
 * The new address was confirmed and is now the account's. Links mailed to the former address are
 * void, except those that undo a change. `SessionsEnded` follows in the same append.
 */
export const EmailChanged = defineEvent(
  "EmailChanged",
  1,
  strict({
    link_id: Id,
    /**
     * The link that undoes the change, mailed to the former address. It expires at once where nobody
     * had confirmed that address.
     */
    undo_link: OneTimeLink,
  }),
  { account: strict({ email: Address, blind: AccountBlind, former_email: Address }) },
  { required: ["account"] },
);

/**
 * The owner of the former address took the account back. The account has the address from before
 * that change. Links of any kind are void, those of later changes included, and so is the password.
 * If its owner closed the account meanwhile, it is open again; a ban stays. `SessionsEnded` follows in the same append,
 * and before it `NotificationsSet` where the settings of before the change were others. Reports that
 * were claimed from the address of the change are nobody's: see `ReportDisowned`.
 */
export const EmailChangeUndone = defineEvent(
  "EmailChangeUndone",
  1,
  strict({
    /** The undo link that was opened. */
    link_id: Id,
    /**
     * `dropped`: the second factor was set up, or got other recovery codes, after the change or within
     * the week before it.
     */
    two_factor: Type.Enum(["kept", "dropped"]),
  }),
  { account: strict({ email: Address, blind: AccountBlind }) },
  { required: ["account"] },
);
