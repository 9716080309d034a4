/** One thing that a security scan looks at. */
export interface ScanCheck {
  /** Of the job's line; it never changes. */
  readonly code: string;
  /** What is said where all is well. */
  readonly fine: string;
  /**
   * @returns what is found and what to do about it, in at most 500 characters, without a credential, an address
   *   or a person; undefined where all is well.
   */
  find(): Promise<string | undefined>;
}

/** A check of what is known already. */
export const plainCheck = (code: string, fine: string, found: string | undefined): ScanCheck => ({
  code,
  fine,
  find: async () => found,
});
