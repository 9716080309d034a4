import type { ReactNode } from "react";
import { themeAttribute } from "#theme/chosen-theme.ts";
import { SITE_CONFIG_ID, type SiteConfig, SiteConfigProvider } from "../config/site-config.tsx";

/** The whole HTML document, rendered by the server and hydrated by the browser. */
export function Document(props: {
  config: SiteConfig;
  children: ReactNode;
  /** Added only by the server; hydration ignores it. */
  head?: ReactNode;
}) {
  const { config } = props;
  return (
    <html lang="en" data-theme={themeAttribute(config.theme)} suppressHydrationWarning>
      <head>
        {props.head}
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#14273f" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {config.stylesheets.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>
        <SiteConfigProvider value={config}>{props.children}</SiteConfigProvider>
        <script
          id={SITE_CONFIG_ID}
          type="application/json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that holds no "<".
          dangerouslySetInnerHTML={{ __html: inertJson(config) }}
        />
      </body>
    </html>
  );
}

/** Serializes JSON that can't close its containing element. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}
