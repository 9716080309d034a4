/** The forms for the registry's staff. They share one chunk. */
export { DmcaCounterNoticePage } from "./DmcaCounterNoticePage.tsx";
export { DmcaNoticePage } from "./DmcaNoticePage.tsx";
export { EnterprisePage } from "./EnterprisePage.tsx";
export { LawEnforcementPage } from "./LawEnforcementPage.tsx";
