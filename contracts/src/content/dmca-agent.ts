/** To whom the law has copyright notices sent (17 U.S.C. 512(c)(2)). */
export interface DmcaAgent {
  readonly name: string;
  /** Postal address, in one line. */
  readonly address: string;
  readonly email: string;
  readonly phone: string;
}
