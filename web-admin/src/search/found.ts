import type { AdminReport } from "#contracts/http/report-view.ts";
import type { ListedUser } from "#contracts/http/users.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";

/** A search result. */
export interface Found {
  readonly group: "Reports" | "People" | "Users" | "Pages";
  readonly path: string;
  readonly label: string;
  /** Next to the label, to distinguish results with the same name. */
  readonly detail: string;
}

/** A page of the console that the account has access to. */
export interface SearchedPage {
  readonly path: string;
  readonly link: string;
  readonly title: string;
}

const NUMBER = /^r-?([0-9a-f]{1,5})(?:-?([0-9a-f]{0,5}))?$/i;

/**
 * Returns the query for the list of reports: the digits of an ID for a report number as people quote it, complete or
 * not ("R-7F3A9-C21B0"), otherwise the text itself.
 */
export function reportSearch(text: string): string {
  const [, first = "", second = ""] = (text.includes("-") && NUMBER.exec(text)) || [];
  const digits = `${first}${first.length === 5 ? second : ""}`.toLowerCase();
  if (!digits) return text;
  // The first dash in an ID comes after eight digits.
  return digits.length > 8 ? `${digits.slice(0, 8)}-${digits.slice(8)}` : digits;
}

/** Returns the pages whose name contains every word. */
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

/** Whether the label or detail contains the text. */
export function isNamed({ label, detail }: Found, text: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(text.toLowerCase());
}

/** Returns the result for a report, with its number. */
export function foundReport({ id, first_name, last_name, title }: AdminReport): Found {
  const label = `${first_name} ${last_name}`;
  const detail = `${reportNumber(id)}, ${title}`;
  return { group: "Reports", path: paths.report(id), label, detail };
}

/**
 * Returns the names on these reports that contain every word of the text. Only the name identifies a person here, so
 * one result can stand for several people who share it.
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

/** Returns the result for a user, with the masked address. */
export function foundUser({ id, first_name, last_name, email }: ListedUser): Found {
  const label = `${first_name} ${last_name}`.trim() || "No name";
  return { group: "Users", path: paths.user(id), label, detail: email };
}
