import type { AdminReport } from "#contracts/http/report-view.ts";
import type { ListedUser } from "#contracts/http/users.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";

/** Something that the search leads to. */
export interface Found {
  readonly group: "Reports" | "People" | "Users" | "Pages";
  readonly path: string;
  readonly label: string;
  /** Beside the label, to tell things of the same name apart. */
  readonly detail: string;
}

/** A page of the console that the account may open. */
export interface SearchedPage {
  readonly path: string;
  readonly link: string;
  readonly title: string;
}

const NUMBER = /^r-?([0-9a-f]{1,5})(?:-?([0-9a-f]{0,5}))?$/i;

/**
 * What the list of reports is asked for: the digits of the id where a number was typed, as people quote
 * it ("R-7F3A9-C21B0", also its beginning), otherwise the text itself.
 */
export function reportSearch(text: string): string {
  const [, first = "", second = ""] = (text.includes("-") && NUMBER.exec(text)) || [];
  const digits = `${first}${first.length === 5 ? second : ""}`.toLowerCase();
  if (!digits) return text;
  // An id has its first dash after eight digits.
  return digits.length > 8 ? `${digits.slice(0, 8)}-${digits.slice(8)}` : digits;
}

/** Pages whose name has every word. */
export function foundPages(text: string, pages: readonly SearchedPage[]): Found[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  return pages
    .filter(({ link, title }) => {
      const name = `${link} ${title}`.toLowerCase();
      return words.every((word) => name.includes(word));
    })
    .map(({ path, link, title }) => ({
      group: "Pages",
      path,
      label: link,
      detail: title === link ? "" : title,
    }));
}

/** Whether the text stands in what is shown of it. */
export function isNamed({ label, detail }: Found, text: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(text.toLowerCase());
}

/** A report, told apart by its number. */
export function foundReport({ id, first_name, last_name, title }: AdminReport): Found {
  const label = `${first_name} ${last_name}`;
  const detail = `${reportNumber(id)}, ${title}`;
  return { group: "Reports", path: paths.report(id), label, detail };
}

/**
 * Names on these reports that have every word of the text. Reports are joined by nothing but the name here, so one
 * entry can stand for people who share it.
 */
export function foundPeople(text: string, reports: readonly AdminReport[]): Found[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const names = new Map<string, string>();
  for (const { first_name, last_name } of reports) {
    const name = `${first_name} ${last_name}`.trim();
    const key = name.toLowerCase();
    if (!names.has(key) && words.every((word) => key.includes(word))) names.set(key, name);
  }
  return [...names.values()].map((label) => ({
    group: "People",
    path: paths.reportsWith(label),
    label,
    detail: "All reports with this name",
  }));
}

/** A user, told apart by their masked address. */
export function foundUser({ id, first_name, last_name, email }: ListedUser): Found {
  const label = `${first_name} ${last_name}`.trim() || "No name";
  return { group: "Users", path: paths.user(id), label, detail: email };
}
