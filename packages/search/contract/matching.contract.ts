import { expect, it } from "vitest";
import type { SearchIndex } from "../port.ts";
import { document, fill, ids } from "./documents.ts";

/** Which words find which people and why, and what a hit highlights and returns. */
export function matchingContract(index: () => SearchIndex): void {
  const names = new Map<string, string>();
  const people = (...people: readonly [string, string][]) => {
    const docs = people.map(([first_name, last_name], n) => document(n, { first_name, last_name }));
    for (const doc of docs) names.set(doc.id, `${doc.first_name} ${doc.last_name}`);
    return fill(index(), docs);
  };
  const found = async (q: string) => {
    const { hits } = await index().search({ q, size: 50 });
    return hits.map((hit) => `${names.get(hit.id)}: ${hit.match}`);
  };

  it("finds a name in any order and any case", async () => {
    await people(["John", "Smith"], ["Ann", "Jones"]);
    for (const q of ["John Smith", "smith john", "SMITH", "john", "  smith\t JOHN "]) {
      expect(await found(q), q).toEqual(["John Smith: exact"]);
    }
  });

  it("finds names with and without accents, both ways", async () => {
    await people(["José", "Núñez"], ["Jose", "Nunez"]);
    for (const q of ["jose nunez", "José Núñez", "JOSE\u0301 nunez"]) {
      expect((await found(q)).toSorted(), q).toEqual(["Jose Nunez: exact", "José Núñez: exact"]);
    }
  });

  it("finds names in other scripts as written and by their Latin transcription", async () => {
    await people(["Иван", "Петров"], ["小明", "王"]);
    expect(await found("иван")).toEqual(["Иван Петров: exact"]);
    expect(await found("ivan petrov")).toEqual(["Иван Петров: exact"]);
    expect(await found("王")).toEqual(["小明 王: exact"]);
  });

  it("finds names through apostrophes, hyphens and spaces", async () => {
    await people(["Mary-Ann", "O'Brien"], ["Maria", "De La Cruz"]);
    for (const q of ["obrien", "O’Brien", "maryann obrien", "mary ann"]) {
      expect(await found(q), q).toEqual(["Mary-Ann O'Brien: exact"]);
    }
    expect(await found("delacruz")).toEqual(["Maria De La Cruz: exact"]);
  });

  it("finds people by nicknames of their given names only", async () => {
    await people(["Robert", "Smith"], ["Elizabeth", "Ray"], ["Ann", "Robert"]);
    expect(await found("Bob")).toEqual(["Robert Smith: nickname"]);
    expect(await found("ray liz")).toEqual(["Elizabeth Ray: nickname"]);
  });

  it("finds people by the sound of their names", async () => {
    await people(["Ann", "Meyer"], ["Catherine", "Smith"]);
    expect(await found("maier")).toEqual(["Ann Meyer: phonetic"]);
    expect(await found("smyth")).toEqual(["Catherine Smith: phonetic"]);
  });

  it("finds people despite a typo", async () => {
    await people(["Hernan", "Fernandez"], ["Ann", "Smith"]);
    expect(await found("smtih")).toEqual(["Ann Smith: fuzzy"]);
    expect(await found("Fermandes hernam")).toEqual(["Hernan Fernandez: fuzzy"]);
    expect(await found("smixx")).toEqual([]);
  });

  it("ranks exact over nickname over sound over text over typo, then newest first", async () => {
    await fill(index(), [
      document(1, { first_name: "Robert", last_name: "Smtih" }),
      document(2, { first_name: "Robert", title: "Bought by smith" }),
      document(3, { first_name: "Robert", last_name: "Smyth" }),
      document(4, { first_name: "Bob", last_name: "Smith" }),
      document(5, { first_name: "Robert", last_name: "Smith" }),
      document(6, { first_name: "Smith", last_name: "Robert" }),
      document(7, { first_name: "Bob", last_name: "Smyth" }),
      document(8, { first_name: "Ann", last_name: "Smith" }),
    ]);
    const { hits } = await index().search({ q: "robert smith", size: 50 });
    expect(hits.map((hit) => [Number(hit.id.slice(-1)), hit.match])).toEqual([
      [6, "exact"],
      [5, "exact"],
      [4, "nickname"],
      [3, "phonetic"],
      [7, "phonetic"],
      [2, "text"],
      [1, "fuzzy"],
    ]);
  });

  it("keeps namesakes apart: each is a separate hit", async () => {
    await people(["John", "Smith"], ["John", "Smith"]);
    expect(await ids(index(), { q: "john smith" })).toEqual(["doc-000001", "doc-000000"]);
  });

  it("finds parts of title, description, city and name, and a state by its code", async () => {
    await fill(index(), [
      document(1, { title: "Laptop never paid" }),
      document(2, { description: "Ordered a Café machine" }),
      document(3, { city: "San José" }),
      document(4, { last_name: "Abramowitz" }),
      document(5, { state: "TX" }),
    ]);
    for (const [q, n] of [
      ["aptop", 1],
      ["NEVER laptop", 1],
      ["cafe", 2],
      ["achin", 2],
      ["josé", 3],
      ["san jos", 3],
      ["amowi", 4],
      ["tx", 5],
    ] as const) {
      const { hits } = await index().search({ q, size: 9 });
      expect(
        hits.map((hit) => [hit.id, hit.match]),
        q,
      ).toEqual([[document(n).id, "text"]]);
    }
  });

  it("requires every word, in any field", async () => {
    await fill(index(), [
      document(1, { first_name: "John", title: "Camera", city: "Austin" }),
      document(2, { first_name: "John", title: "Laptop", city: "Austin" }),
    ]);
    expect(await ids(index(), { q: "austin jon camera" })).toEqual([document(1).id]);
    expect(await ids(index(), { q: "john camera boston" })).toEqual([]);
  });

  it("treats wildcard and query characters literally", async () => {
    await fill(index(), [document(1, { title: "a 100% refund_x \\ 'quoted'" }), document(2)]);
    for (const q of ["%", "_", "*", "?", "\\", "'", '"', "%%", "()", "n:abcde & | !"]) {
      expect(await ids(index(), { q }), q).not.toContain(document(2).id);
    }
    expect(await ids(index(), { q: "100%" })).toEqual([document(1).id]);
    expect(await ids(index(), { q: "und_x" })).toEqual([document(1).id]);
    expect(await ids(index(), { q: "'quoted'" })).toEqual([document(1).id]);
  });

  it.each([
    ["NUL", "quinn\0"],
    ["a lone surrogate", "quinn \ud800"],
    ["right to left", "\u202equinn\u202c"],
    ["a megabyte", `quinn ${" ".repeat(1_000_000)}x`],
  ])("answers a query with %s", async (_, q) => {
    await fill(index(), [document(1)]);
    expect(await ids(index(), { q })).toEqual([document(1).id]);
  });

  it("stores and marks text with NUL, emoji, right-to-left and lone surrogates", async () => {
    await fill(index(), [
      document(1, { title: "a\0b 😀 שלום\ud800", last_name: "שלום", city: "مدينة" }),
    ]);
    const { hits } = await index().search({ q: "שלום", size: 9 });
    expect(hits[0]?.highlights.title).toEqual([
      { text: "ab 😀 ", hit: false },
      { text: "שלום", hit: true },
      { text: "\ufffd", hit: false },
    ]);
    expect(hits[0]?.highlights.name).toEqual([
      { text: "Quinn ", hit: false },
      { text: "שלום", hit: true },
    ]);
  });

  it("marks the words that matched, in every text that holds them", async () => {
    await fill(index(), [
      document(1, {
        first_name: "Robert",
        last_name: "García",
        title: "Garcias order",
        description: "From mr. GARCIA",
        city: "Denver",
      }),
    ]);
    const { hits } = await index().search({ q: "bob garcia", size: 9 });
    expect(hits[0]?.highlights).toEqual({
      name: [
        { text: "Robert", hit: true },
        { text: " ", hit: false },
        { text: "García", hit: true },
      ],
      title: [
        { text: "Garcia", hit: true },
        { text: "s order", hit: false },
      ],
      description: [
        { text: "From mr. ", hit: false },
        { text: "GARCIA", hit: true },
      ],
    });
  });

  it("highlights text, never markup", async () => {
    const title = "<b>laptop</b> & more";
    await fill(index(), [document(1, { title })]);
    const { hits } = await index().search({ q: "laptop", size: 9 });
    expect(hits[0]?.highlights.title?.map((s) => s.text).join("")).toBe(title);
  });

  it("without free text returns everything, newest first, without explanations", async () => {
    await fill(index(), [document(1), document(3), document(2)]);
    for (const q of [undefined, "", "   "]) {
      const { hits } = await index().search({ q, size: 9 });
      expect(hits.map((hit) => hit.id)).toEqual([3, 2, 1].map((n) => document(n).id));
      expect(hits[0]).not.toHaveProperty("match");
      expect(hits[0]?.highlights).toEqual({});
    }
  });

  it("returns only the id of a report and why it matches", async () => {
    const blind = { email: ["email-hash"], phone: ["phone-hash"] };
    const stored = document(1, { blind });
    await fill(index(), [stored]);
    const { hits } = await index().search({ size: 9, q: "untitled" });
    expect(hits).toEqual([
      {
        id: stored.id,
        match: "text",
        highlights: { title: [{ text: "Untitled", hit: true }] },
      },
    ]);
  });

  it("finds an address or a number by its whole blind index only", async () => {
    await fill(index(), [
      document(1, { blind: { email: ["3f9a1c", "77aa00"], phone: ["aa11bb"] } }),
      document(2, { blind: { email: ["3f9a1d"] } }),
    ]);
    expect(await ids(index(), { emailBlind: "3f9a1c" })).toEqual([document(1).id]);
    expect(await ids(index(), { emailBlind: "77aa00" })).toEqual([document(1).id]);
    expect(await ids(index(), { phoneBlind: "aa11bb" })).toEqual([document(1).id]);
    for (const part of ["3f9a1", "3f9", "", "3f9a1c7", "AA11BB", "%", "'"]) {
      expect(await ids(index(), { emailBlind: part }), part).toEqual([]);
      expect(await ids(index(), { q: part || "nobody", phoneBlind: part }), part).toEqual([]);
    }
    expect(await ids(index(), { emailBlind: "aa11bb" })).toEqual([]);
    for (const q of ["3f9a1c", "3f9a1", "aa11bb", "e:3f9a1c"]) {
      expect(await ids(index(), { q }), q).toEqual([]);
    }
  });

  it("matches by the address or by the text, and ranks the address first, as an exact match", async () => {
    await fill(index(), [
      document(1, { first_name: "Ann", blind: { email: ["hash"] } }),
      document(2, { title: "Wrote from ann@example.com" }),
      document(3),
    ]);
    const query = { q: "ann@example.com", emailBlind: "hash", size: 9 };
    const { hits } = await index().search(query);
    expect(hits.map((hit) => [hit.id, hit.match])).toEqual([
      [document(1).id, "exact"],
      [document(2).id, "text"],
    ]);
    expect(hits[0]?.highlights).toEqual({});
  });
}
