import type { Act } from "./screen-acts.ts";

/** Who looks at a screen: the owner has sent a report, the newcomer has an account alone. */
export type Viewer = "visitor" | "newcomer" | "owner" | "admin" | "auditor";

/** A screen in one state: a line in `SCREENS` for `npm run pictures` and `e2e/site-screens.e2e.test.ts`. */
export interface Screen {
  /** Name of its files. */
  readonly name: string;
  /**
   * Address. `{report}` stands for a sample's page, `{habitual}` for a habitual offender's, `{evidence}` for a
   * report's with evidence, and `{moderated}` for its id; `{own}`, `{status}` and `{question}` for the pages of
   * the owner's report, and `{decided}` for its id; `{askable}` for the id of one whose reporter can be asked; `{expired}` for the owner's page of a report whose payment page
   * has expired, `{inquiry}` and `{notice}` for the ids of what visitors sent by the forms, and
   * `{answer}` for the page that replies to an answer.
   */
  readonly path: string;
  /** The visitor when absent. */
  readonly as?: Viewer;
  /** Without JavaScript. */
  readonly plain?: boolean;
  /** Waits for data that never comes. */
  readonly waits?: boolean;
  /** Whether the act leads to another page than that of the address. */
  readonly leaves?: boolean;
  /** Done before the page opens: what answers its calls. */
  readonly before?: Act;
  /** Brings the screen into its state. */
  readonly act?: Act;
}
