import { createContext, use } from "react";
import type { SiteFacts } from "#contracts/http/content.ts";
import type { Theme } from "#theme/chosen-theme.ts";

/** Configuration that the server passes to the pages, identical on the server and in the browser. */
export interface SiteConfig {
  readonly productName: string;
  readonly supportEmail: string;
  /** Origin of canonical links, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether there are sample reports. */
  readonly samples: boolean;
  /** The custom pages for the footer, as of rendering. */
  readonly pages: SiteFacts["pages"];
  /** Maximum size of an uploaded file, in megabytes. */
  readonly maxFileSize: number;
  /** Present if the site was under maintenance at rendering. */
  readonly maintenance?: SiteFacts["maintenance"];
  readonly theme: Theme;
  readonly stylesheets: readonly string[];
}

/** ID of the element that holds the configuration for the browser, as JSON. */
export const SITE_CONFIG_ID = "site-config";

const SiteConfigContext = createContext<SiteConfig | null>(null);
export const SiteConfigProvider = SiteConfigContext.Provider;

export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (!config) throw new Error("SiteConfigProvider is missing above this component");
  return config;
}
