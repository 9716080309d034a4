import type { Act } from "./screen-acts.ts";

/** Viewers of a screen: the owner has sent a report, the newcomer only has an account. */
export type Viewer = "visitor" | "newcomer" | "owner" | "admin" | "auditor";

/** A screen in one state: a row in `SCREENS` for `npm run pictures` and `e2e/site-screens.e2e.test.ts`. */
export interface Screen {
  /** Base name of its files. */
  readonly name: string;
  /**
   * URL path. `{report}` stands for a sample's page, `{habitual}` for a habitual offender's, `{evidence}` for
   * that of a report with evidence, and `{moderated}` for its ID; `{own}`, `{status}` and `{question}` for
   * the pages of the owner's report, and `{decided}` for its ID; `{askable}` for the ID of a report whose
   * reporter can be asked; `{expired}` for the owner's page of a report whose payment page has expired,
   * `{inquiry}` and `{notice}` for the IDs of inquiries sent through the forms, and `{answer}` for the page
   * for replying to an answer.
   */
  readonly path: string;
  /** Visitor by default. */
  readonly as?: Viewer;
  /** Without JavaScript. */
  readonly plain?: boolean;
  /** Waits for data that never arrives. */
  readonly waits?: boolean;
  /** Whether the act navigates to a page other than `path`. */
  readonly leaves?: boolean;
  /** Runs before the page opens, to mock its calls. */
  readonly before?: Act;
  /** Brings the screen into its state. */
  readonly act?: Act;
}
