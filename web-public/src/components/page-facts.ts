import { createContext } from "react";

/** What a page says of itself in the document's head. */
export interface PageFacts {
  readonly title: string;
  readonly description?: string;
  /** Path of the canonical address. Without it the page tells search engines not to index it. */
  readonly path?: string;
  /** Path of its own picture; absent where the site's serves. */
  readonly picture?: string;
  /** Pages above it, after the home page, each with its path. */
  readonly above?: readonly (readonly [name: string, path: string])[];
  /** Its name below those; the title when absent. */
  readonly name?: string;
}

/** Told by each page while the server renders it. In the browser nobody listens. */
export const PageFactsContext = createContext<((facts: PageFacts) => void) | undefined>(undefined);
