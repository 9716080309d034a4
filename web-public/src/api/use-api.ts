import { createContext, use } from "react";
import type { ApiClient } from "./client.ts";

const ApiClientContext = createContext<ApiClient | null>(null);

/** Provides components with the client that loaders find in the router's context. */
export const ApiClientProvider = ApiClientContext.Provider;

export function useApi(): ApiClient {
  const api = use(ApiClientContext);
  if (!api) throw new Error("ApiClientProvider is missing above this component");
  return api;
}
