import { createContext, use } from "react";
import type { SiteFacts } from "#contracts/http/content.ts";
import type { Theme } from "#theme/chosen-theme.ts";

/**
 * Configuration that the server gives the pages. It is the same on the server and in the browser.
 */
export interface SiteConfig {
  readonly productName: string;
  readonly supportEmail: string;
  /** Origin of canonical links, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether made-up samples are among the reports. */
  readonly samples: boolean;
  /** The registry's own pages, for the footer: those that were published when this one was made. */
  readonly pages: SiteFacts["pages"];
  /** Most megabytes of a file that is uploaded. */
  readonly maxFileSize: number;
  /** While the registry is being maintained, when this page was made. */
  readonly maintenance?: SiteFacts["maintenance"];
  /** The visitor's choice of colors. */
  readonly theme: Theme;
  readonly stylesheets: readonly string[];
}

/** Id of the element that holds the configuration for the browser, as JSON. */
export const SITE_CONFIG_ID = "site-config";

const SiteConfigContext = createContext<SiteConfig | null>(null);
export const SiteConfigProvider = SiteConfigContext.Provider;

export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (!config) throw new Error("The site's configuration is missing above this component");
  return config;
}
