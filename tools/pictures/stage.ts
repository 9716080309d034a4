import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  complaintsOf,
  openBrowser,
  SELDOM,
  storeSession,
  takenOver,
  withoutChanges,
} from "../../e2e/support/browser.ts";
import { openContext } from "../../e2e/support/contexts.ts";
import { startRegistry } from "../../e2e/support/registry.ts";
import { ADMIN, openSession, type StoredSession } from "../../e2e/support/sessions.ts";
import { goWithin } from "./console-pages.ts";
import { sendSampleCases } from "./sample-cases.ts";
import { publishSampleEvidence } from "./sample-evidence.ts";
import { type CardPayments, openCardPayments, requestSampleBanners } from "./sample-payments.ts";
import { submitSampleReport } from "./sample-report.ts";
import { addSampleStaff, addSampleTemplate, publishSampleTexts } from "./sample-texts.ts";
import type { Screen, Viewer } from "./screen.ts";
import { staysInPage } from "./screen-acts.ts";

export const COLORS = ["light", "dark"] as const;

/** Time limit for each step of an act, for a slow machine that shows several screens at a time. */
const TIMEOUT_MS = 120_000;

export interface Shot {
  readonly width: number;
  readonly colors: (typeof COLORS)[number];
  /** Whether to reuse another screen's tab with its scripts, sessions and code, which halves the work. */
  readonly again?: boolean;
}

type Use<T> = (page: Page, complaints: readonly string[]) => Promise<T>;

/** Shows the screens of a registry with sample data. */
export interface Stage {
  /** Opens a screen in its state, passes it on with the errors it has logged, and then closes it. */
  show<T>(screen: Screen, shot: Shot, use: Use<T>): Promise<T>;
  /** Opens a tab where an admin is signed in, without loading the console yet. */
  openAsAdmin(): Promise<Page>;
}

/** The address of a registry with sample data, and what its screens need. */
export interface Setting {
  readonly url: string;
  readonly dataDir: string;
  /** Paths and IDs for the placeholders in `Screen.path`. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly sessions: Readonly<Partial<Record<Viewer, StoredSession>>>;
}

/** Starts a registry with sample data. */
export async function startSetting(): Promise<Setting & { close(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-screens-"));
  const cards = await openCardPayments();
  const registry = await startRegistry({
    dataDir,
    env: {
      SAMPLE_DATA: "",
      RATE_LIMIT: "off",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...cards.env,
    },
  });
  const close = async () => {
    await registry.stop();
    await cards.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return {
      url: registry.url,
      dataDir,
      ...(await addSamples(registry.url, dataDir, cards)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addSamples(
  url: string,
  dataDir: string,
  cards: CardPayments,
): Promise<Pick<Setting, "addresses" | "sessions">> {
  const admin = await openSession(url, ADMIN);
  const owner = await openSession(url);
  const newcomer = await openSession(url);
  await publishSampleTexts(url, admin.token);
  await addSampleTemplate(url, admin.token);
  const found = await samplePages(url);
  const banners = await requestSampleBanners(url, cards, owner, admin);
  const addresses = {
    ...found,
    ...banners,
    ...(await sendSampleCases(url, dataDir, admin, banners.plainReport)),
    ...(await submitSampleReport(url, dataDir, owner, admin)),
    ...(await publishSampleEvidence(url, admin.token)),
  };
  const auditor = await addSampleStaff(url, dataDir);
  return { addresses, sessions: { owner, newcomer, admin, auditor } };
}

/** Shows a setting's screens in a browser. */
export function openStage({ url, addresses, sessions }: Setting, browser: Browser): Stage {
  const addressOf = (address: string) =>
    address.replace(/\{(\w+)\}/, (_, name: string) => addresses[name] ?? "");
  const prepare = (context: BrowserContext) => {
    context.setDefaultTimeout(TIMEOUT_MS);
    return withoutChanges(context);
  };
  const free = new Map<string, Tab[]>();
  const optionsOf = (width: number, colors: Shot["colors"], isPlain?: boolean) =>
    ({
      viewport: { width, height: width > 640 ? 800 : 640 },
      locale: "en-US",
      colorScheme: colors,
      reducedMotion: "reduce",
      javaScriptEnabled: !isPlain,
    }) as const;
  return {
    async openAsAdmin() {
      const page = await (await openContext(browser, optionsOf(1280, "light"), prepare)).newPage();
      await storeSession(page, url, sessions.admin as StoredSession);
      return page;
    },
    async show(screen, { width, colors, again }, use) {
      const isConsole = screen.path.startsWith("/admin");
      const options = optionsOf(width, colors, screen.plain);
      // Size and colors can change within a tab, but not who is signed in.
      const kind = JSON.stringify([screen.plain, screen.as]);
      const tabs = free.get(kind) ?? [];
      free.set(kind, tabs);
      const used = again ? tabs.pop() : undefined;
      const page = used?.page ?? (await (await openContext(browser, options, prepare)).newPage());
      try {
        const session = sessions[screen.as ?? "visitor"];
        if (session && !used)
          await page.addInitScript((it) => void Object.assign(localStorage, it), session);
        const address = new URL(addressOf(screen.path), url);
        const isWithin = used?.isLeftByPage && !screen.before;
        if (used) {
          // Where little has to be redrawn in the new size and colors.
          if (isWithin) await goWithin(page, new URL("/admin/nowhere", url));
          else await clear(page, url);
          await page.setViewportSize(options.viewport);
          await page.emulateMedia({ colorScheme: colors });
        }
        const complaints = complaintsOf(page);
        await screen.before?.(page);
        if (isWithin) await goWithin(page, address);
        // The console has no other sign of being fully loaded.
        else await page.goto(address.href, { waitUntil: isConsole ? "networkidle" : "load" });
        if (!screen.plain && !isConsole) await takenOver(page);
        // Until then nothing responds to keys.
        if (isConsole) await page.getByRole("main").first().waitFor();
        await screen.act?.(page);
        if (!screen.plain && !screen.waits) await nothingLoads(page);
        const result = await use(page, complaints);
        if (again) {
          const isLeftByPage =
            isConsole &&
            !screen.before &&
            ![screen.path, page.url()].some((each) => each.includes("filter=")) &&
            (!screen.act || staysInPage(screen.act));
          for (const event of ["console", "pageerror"] as const) page.removeAllListeners(event);
          tabs.push({ page, isLeftByPage });
        } else await page.context().close();
        return result;
      } catch (error) {
        await page.context().close();
        throw error;
      }
    },
  };
}

interface Tab {
  readonly page: Page;
  /** Whether leaving its console page undoes everything done there. A list's filter remains. */
  readonly isLeftByPage: boolean;
}

/** Leaves a tab's page, and clears everything it has stored. */
async function clear(page: Page, url: string): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.context().clearCookies();
}

/** Starts a registry with sample data, and shows its screens in its own browser. */
export async function startStage(executable: string): Promise<Stage & { close(): Promise<void> }> {
  const setting = await startSetting();
  const browser = await openBrowser(executable);
  return {
    ...openStage(setting, browser),
    async close() {
      await browser.close();
      await setting.close();
    },
  };
}

/** Waits until no part of the page is loading; until then it shows the previous content. */
async function nothingLoads(page: Page): Promise<void> {
  const isOver = () => !document.querySelector('[aria-busy="true"]');
  await page.waitForFunction(isOver, undefined, SELDOM);
}

/** Returns the pages of two sample reports. */
async function samplePages(url: string): Promise<Record<"report" | "habitual", string>> {
  const reply = await fetch(`${url}/prod/api/reports/recent`);
  const { data } = (await reply.json()) as {
    data: { seo_title: string; is_habitual_offender: boolean }[];
  };
  const of = (habitual: boolean) =>
    `/report/${data.find((report) => report.is_habitual_offender === habitual)?.seo_title}`;
  return { report: of(false), habitual: of(true) };
}
