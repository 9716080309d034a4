import { createContext } from "react-router-dom";
import type { ApiClient } from "./client.ts";

/** The client that loaders and actions use, on the server or in the browser. */
export const apiContext = createContext<ApiClient>();
