import { createContext } from "react";

/** What a page declares for the document's head. */
export interface PageFacts {
  readonly title: string;
  readonly description?: string;
  /** Path of the canonical URL. Without it the page is `noindex`. */
  readonly path?: string;
  /** Path of the page's own picture; the site's if absent. */
  readonly picture?: string;
  /** Pages above it, after the home page, with their paths. */
  readonly above?: readonly (readonly [name: string, path: string])[];
  /** Its name below those; the title if absent. */
  readonly name?: string;
}

/** Called by each page during server rendering. Not provided in the browser. */
export const PageFactsContext = createContext<((facts: PageFacts) => void) | undefined>(undefined);
