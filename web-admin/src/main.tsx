import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import "@fontsource-variable/inter";
import "./shared/ground.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ConsoleApp } from "./app/ConsoleApp.tsx";
import { openConsole } from "./app/open-console.ts";

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
const styles = createCache({ key: "c", prepend: true, ...(nonce ? { nonce } : {}) });
const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");

createRoot(root).render(
  <StrictMode>
    <CacheProvider value={styles}>
      <ConsoleApp {...openConsole(window)} />
    </CacheProvider>
  </StrictMode>,
);
