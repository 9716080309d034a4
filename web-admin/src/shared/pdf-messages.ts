/** Messages between the page and the frame that renders PDFs, over their own message port. */

/** To the frame: the page to render; the first is 1. */
export interface DrawPage {
  readonly page: number;
}

/** From the frame, which a PDF may have taken over: validate everything in it. */
export type FrameAnswer =
  | { readonly pages: number }
  | { readonly page: number; readonly picture: ArrayBuffer }
  | { readonly failure: "password" | "unreadable" };
