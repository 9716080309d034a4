/**
 * How many days the registry keeps what it later removes by itself. The code that removes it and the
 * privacy page both read these numbers.
 */
export const RETENTION_DAYS = {
  /** An account whose address nobody confirmed. */
  unconfirmed_account: 30,
  /** What somebody sent by a form: an inquiry or a notice. */
  inquiry: 730,
  /** Refused sign-ins and calls, counted from the end of their month. */
  security_event: 90,
  /** The record that a mail was sent, counted from the last attempt. */
  mail: 30,
  /** The keyed hash by which a removed page answers 410. */
  removed_address: 30,
} as const;
