import { type ComponentType, lazy, Suspense } from "react";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import type * as Pages from "../templates/pages.ts";

/** A page for templates of mails. They share a chunk, which loads with the first of them. */
function page(name: keyof typeof Pages): ComponentType {
  const Page = lazy(async () => ({ default: (await import("../templates/pages.ts"))[name] }));
  return function InChunk() {
    return (
      <Suspense fallback={<FullPageLoading />}>
        <Page />
      </Suspense>
    );
  };
}

export const TemplateList = page("TemplateList");
export const TemplatePage = page("TemplatePage");
