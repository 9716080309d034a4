import "#theme/tokens.css";
import "./styles/base.css";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import {
  createBrowserRouter,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  RouterProvider,
} from "react-router-dom";
import { apiContext, createApiClient } from "./api/client.ts";
import { positionCookieStore } from "./api/position-cookie.ts";
import { ApiClientProvider } from "./api/use-api.ts";
import { SITE_CONFIG_ID, type SiteConfig } from "./config/site-config.tsx";
import { Document } from "./layout/Document.tsx";
import { removeExpiredDraft } from "./lib/draft-storage.ts";
import { routes } from "./routes.tsx";
import { openSiteSession, SiteSessionProvider, sessionContext } from "./session/site-session.ts";

/** Loads the first page's modules, so that its first render matches the server's. */
async function loadMatched(routes: RouteObject[]): Promise<void> {
  const matches = matchRoutes(routes, location) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === "function")
        Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

// A page that stayed open during a deployment requests modules that no longer exist.
addEventListener("vite:preloadError", () => location.reload());

async function start(): Promise<void> {
  removeExpiredDraft(Date.now());
  const config = JSON.parse(
    document.getElementById(SITE_CONFIG_ID)?.textContent ?? "null",
  ) as SiteConfig;
  await loadMatched(routes);
  const api = createApiClient({
    baseUrl: "",
    position: positionCookieStore(document),
    onFault: (fault) => console.warn(`The registry didn't respond: ${fault.message}`),
  });
  const session = openSiteSession(window);
  const router = createBrowserRouter(routes, {
    getContext() {
      const context = new RouterContextProvider();
      context.set(apiContext, api);
      context.set(sessionContext, session);
      return context;
    },
  });
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Document config={config}>
          <ApiClientProvider value={api}>
            <SiteSessionProvider value={session}>
              <RouterProvider router={router} />
            </SiteSessionProvider>
          </ApiClientProvider>
        </Document>
      </StrictMode>,
    );
  });
}

void start();
