import { createContext } from "react-router-dom";
import type { ApiClient } from "./client.ts";

/** The client that loaders and actions call: the server's or the browser's. */
export const apiContext = createContext<ApiClient>();
