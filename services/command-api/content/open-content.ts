import { contentIdOf } from "#content/content-id.ts";
import { loadShippedTexts } from "#content/shipped-texts.ts";
import { type Operator, type TextRenderer, textRenderer } from "#content/text-values.ts";
import { TERMS_SLUG } from "#contracts/content/content-rules.ts";
import { streams } from "#contracts/events/index.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ViewCounter } from "../views/view-counter.ts";
import { ContentService } from "./content.service.ts";
import { TermsInForce } from "./terms-in-force.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: Pick<KeyStore, "destroy">;
  readonly views: Pick<ViewCounter, "forget">;
  readonly slugKey: Buffer;
  /** As it is now. */
  readonly operator: () => Operator;
}

/** Reads the texts that ship with the software, and builds what changes them. */
export async function openContent({ handler, keys, views, slugKey, operator }: Deps): Promise<{
  readonly content: ContentService;
  readonly terms: TermsInForce;
  readonly renderer: TextRenderer;
}> {
  const hash = (text: string) => slugHash(slugKey, text);
  const shipped = await loadShippedTexts(hash);
  const terms = new TermsInForce(handler, streams.content(contentIdOf(hash, "legal", TERMS_SLUG)));
  const content = new ContentService({ handler, keys, views, shipped, hash, terms });
  return { content, terms, renderer: textRenderer(operator) };
}
