import { DomainError } from "#contracts/domain-error.ts";
import { ContentParams, ContentReply, FaqReply } from "#contracts/http/content.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { Texts } from "./shipped-texts.ts";

/** The registry's own texts: answers to frequent questions, and the legal pages. */
export function contentRoutes(app: ServiceInstance, { texts }: { readonly texts: Texts }): void {
  app.get(
    "/prod/api/faq",
    {
      config: { roles: ROLES, limit: "read" },
      schema: {
        tags: ["content"],
        summary: "Frequent questions, in their order, with answers as HTML",
        response: { 200: FaqReply },
      },
    },
    async () => succeed([...texts.faq]),
  );

  app.get(
    "/prod/api/content/:slug",
    {
      config: { roles: ROLES, limit: "read" },
      schema: {
        tags: ["content"],
        summary: "A legal page with its version: terms, privacy, disclaimer, dmca",
        params: ContentParams,
        response: { 200: ContentReply },
      },
    },
    async ({ params }) => {
      const page = texts.pages.get(params.slug);
      if (!page) throw new DomainError("not_found", "There is no text at this address.");
      return succeed(page);
    },
  );
}
