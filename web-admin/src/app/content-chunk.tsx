import { type ComponentType, lazy, Suspense } from "react";
import type * as Pages from "../content/pages.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";

/** A page for texts. They share a chunk, which loads with the first of them. */
function page(name: keyof typeof Pages): ComponentType {
  const Page = lazy(async () => ({ default: (await import("../content/pages.ts"))[name] }));
  return function InChunk() {
    return (
      <Suspense fallback={<FullPageLoading />}>
        <Page />
      </Suspense>
    );
  };
}

export const ContentList = page("ContentList");
export const TextPage = page("TextPage");
export const NewTextPage = page("NewTextPage");
