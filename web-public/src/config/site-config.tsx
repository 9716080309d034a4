import { createContext, use } from "react";

/** What the server tells the pages; the same in its own render and in the browser. */
export interface SiteConfig {
  readonly productName: string;
  readonly supportEmail: string;
  /** Origin of canonical links, without a slash at its end. */
  readonly publicUrl: string;
  /** Whether made-up samples are among the reports. */
  readonly samples: boolean;
  readonly stylesheets: readonly string[];
}

/** Id of the element that carries the configuration to the browser as JSON. */
export const SITE_CONFIG_ID = "site-config";

const SiteConfigContext = createContext<SiteConfig | null>(null);
export const SiteConfigProvider = SiteConfigContext.Provider;

export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (!config) throw new Error("The site's configuration is missing above this component");
  return config;
}
