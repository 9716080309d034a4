/** What the page and the frame that draws PDFs tell each other, over a port of their own. */

/** To the frame: the page to draw, from 1. */
export interface DrawPage {
  readonly page: number;
}

/** From the frame. It may be under a PDF's control: nothing in it is believed unseen. */
export type FrameAnswer =
  | { readonly pages: number }
  | { readonly page: number; readonly picture: ArrayBuffer }
  | { readonly failure: "password" | "unreadable" };
