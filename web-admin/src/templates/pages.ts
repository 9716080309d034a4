export { TemplateList } from "./TemplateList.tsx";
export { TemplatePage } from "./TemplatePage.tsx";
