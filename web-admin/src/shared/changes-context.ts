import { createContext } from "react";
import type { ChangeStream } from "../data/change-stream.ts";

/** The stream of changes made by others, provided by the console. */
export const ChangesContext = createContext({} as ChangeStream);
