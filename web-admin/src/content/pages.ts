export { ContentList } from "./ContentList.tsx";
export { NewTextPage } from "./NewTextPage.tsx";
export { TextPage } from "./TextPage.tsx";
