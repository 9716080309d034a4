/** How long a link works that confirms an account's address or a device. */
export const ACCOUNT_LINK_HOURS = 24;
/** How long a link to set a password works. */
export const RESET_LINK_MINUTES = 60;
/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;
/** How long the previous address can undo a change of address. */
export const EMAIL_UNDO_DAYS = 7;
/** How long an account that its owner deleted is kept: signing in takes it back. */
export const ACCOUNT_KEPT_DAYS = 7;
/** How long a session works without being used. */
export const SESSION_IDLE_DAYS = 14;
/** How long a password that was entered counts for what asks for it. */
export const PROOF_MINUTES = 15;
/** How long an account with a new staff role decides nothing that its granter may not. */
export const NEW_ROLE_HOURS = 24;
/** How long a data export takes at most, from its first page to its last file. */
export const EXPORT_MINUTES = 60;
