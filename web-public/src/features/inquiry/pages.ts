/** The forms that go to staff. They share one chunk. */

export { EnterprisePage } from "./EnterprisePage.tsx";
export { DmcaCounterNoticePage, DmcaNoticePage, LawEnforcementPage } from "./FormPages.tsx";
