import { parentPort } from "node:worker_threads";
import type { TemplateValues } from "#contracts/mail/template-variables.ts";
import {
  type RenderedText,
  renderText,
  TemplateInvalid,
  type TemplateSource,
} from "./render-text.ts";

/** The input that the worker is sent. */
export interface RenderQuestion {
  readonly source: TemplateSource;
  readonly values: TemplateValues;
}

/** The worker's response. It sends `ready` once it accepts questions. */
export type RenderAnswer =
  | { readonly ready: true }
  | { readonly words: RenderedText }
  | { readonly invalid: { readonly field: keyof TemplateSource; readonly message: string } };

const answer = (value: RenderAnswer) => parentPort?.postMessage(value);

parentPort?.on("message", ({ source, values }: RenderQuestion) => {
  try {
    answer({ words: renderText(source, values) });
  } catch (error) {
    if (!(error instanceof TemplateInvalid)) throw error;
    answer({ invalid: { field: error.field, message: error.message } });
  }
});
answer({ ready: true });
