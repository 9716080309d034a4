import { describe, expect, it } from "vitest";
import { findAbusiveWords } from "./abusive-words.ts";

const marked = (text: string) =>
  findAbusiveWords(text).map(({ start, end }) => text.slice(start, end));

describe("abusive words", () => {
  it.each([
    ["This fucking thief lied", ["fucking"]],
    ["Fucking liar. What a BITCH!", ["Fucking", "BITCH"]],
    ["he is a dick, and an a$$hole", ["dick", "a$$hole"]],
    ["You sh1t, you fück, motherfucker", ["sh1t", "fück", "motherfucker"]],
  ])("are marked: %s", (text, words) => {
    expect(marked(text)).toEqual(words);
  });

  it.each([
    "Scunthorpe United, Penistone and Clitheroe",
    "Mr. Cockburn, Ms. Hitchcock, Dick Ames, Moby Dick",
    "Dick's Sporting Goods shipped to Dickson, TN",
    "Emily Dickinson, Ken Fukuda, Bich Nguyen, Jane Slutsky, Lee Fagan",
    "Essex, Sussex, Middlesex and the Wankel engine in Cumming, GA",
    "a class assignment, cocktail glasses, grapes, raccoon fur, a massage chair",
    "shiitake mushrooms, a niggardly refund, the therapist's analysis",
    "Assessment: the analyst passed a Hancock classic to Arsenal's assassin",
  ])("are not found in innocent words and names: %s", (text) => {
    expect(marked(text)).toEqual([]);
  });

  it("are returned in text order without overlaps", () => {
    const places = findAbusiveWords("shit shiit cunt fuck");
    const bounds = places.flatMap(({ start, end }) => [start, end]);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(places).toHaveLength(4);
  });
});
