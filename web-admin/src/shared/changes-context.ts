import { createContext } from "react";
import type { ChangeStream } from "../data/change-stream.ts";

/** Where the console hears of what others change; the console provides it. */
export const ChangesContext = createContext({} as ChangeStream);
