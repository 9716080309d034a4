/** Access to an account at Stripe, and where payers come back to. */
export interface CardSettings {
  readonly secretKey: string;
  /** The secret of the endpoint to which Stripe sends its messages. */
  readonly webhookSecret: string;
  /** Origin of the site. */
  readonly publicUrl: string;
  /** Origin of another server with Stripe's interface, to try it out. */
  readonly apiUrl?: string;
}

/** Whether real money moves with a key of Stripe. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}
