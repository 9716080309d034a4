import type { FaqItem } from "#contracts/http/content.ts";

/** The items whose question or answer holds every word of the text, in their order. */
export function findAnswers(items: readonly FaqItem[], text: string): readonly FaqItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ question, answer }) => {
    const searched = `${question} ${answer.replace(/<[^>]*>/g, " ")}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
