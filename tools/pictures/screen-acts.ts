import type { Page } from "playwright-core";

export type Act = (page: Page) => Promise<unknown>;

const withinPage = new WeakSet<Act>();

/** Marks an act that changes only the current page, so that leaving the page undoes it. */
export const inPage = (act: Act): Act => {
  withinPage.add(act);
  return act;
};

export const staysInPage = (act: Act): boolean => withinPage.has(act);

/** Runs acts one after the other. */
export const all = (...acts: readonly Act[]): Act => {
  const each: Act = async (page) => {
    for (const act of acts) await act(page);
  };
  return acts.every(staysInPage) ? inPage(each) : each;
};

export const press = (name: string | RegExp): Act =>
  inPage((page) => page.getByRole("button", { name }).first().click());

export const type =
  (values: Readonly<Record<string, string>>): Act =>
  async (page) => {
    for (const [id, value] of Object.entries(values)) await page.locator(`#${id}`).fill(value);
  };

export const until = (text: string | RegExp): Act =>
  inPage((page) => page.getByText(text).first().waitFor());

export const goTo =
  (link: string): Act =>
  (page) =>
    page.getByRole("link", { name: link, exact: true }).first().click();

/** Opens the page, then clicks a link whose data never arrives. */
export const follow = (link: string): Act =>
  all(
    (page) => page.route("**/prod/api/**", () => undefined),
    goTo(link),
    (page) => page.waitForTimeout(400),
  );

/** Mocks API calls from now on, with data or an error. */
export const answer =
  (route: string, status: number, body: object = {}, headers: Record<string, string> = {}): Act =>
  (page) =>
    page.route(`**/prod/api/${route}*`, (call) => {
      const refusal = { success: false, error: { code: "internal", message: "", ...body } };
      return call.fulfill({
        status,
        headers,
        json: status < 300 ? { success: true, ...body } : refusal,
      });
    });

/** Fails calls as if the network were down. */
export const cut =
  (route: string): Act =>
  (page) =>
    page.route(`**/prod/api/${route}*`, (call) => call.abort());

/** Searches manually, one search after the other. */
export const search =
  (times: number): Act =>
  async (page) => {
    for (let i = 1; i <= times; i += 1) {
      await page.locator("#q").fill(`name ${i}`);
      await page.locator("#search-form").getByRole("button", { name: "Search" }).click();
      if (i < times) await page.waitForURL(`**/search?q=name${"+"}${i}`);
    }
  };

export const openMenu: Act = (page) =>
  page.locator("#site-menu").evaluate((element) => (element as HTMLElement).showPopover());

export const submitEmptyForm: Act = async (page) => {
  // React may lose a click made while it hydrates the form.
  const terms = page.getByLabel(/agree to the/);
  while (!(await terms.isChecked())) await terms.click();
  await press("Submit Report")(page);
};

/** Fills in a complete report about someone abroad. */
export const fillForm: Act = async (page) => {
  await page.locator("#field-country").selectOption("CA");
  const report = {
    title: "Charged back a delivered order",
    description: "Signed for the parcel, then disputed the payment.",
    first_name: "Quinn",
    last_name: "Harper",
    city: "Halifax",
    state: "NS",
    zip: "B3H 1A1",
    last_4: "1234",
    amount: "412.50",
    transaction_date: "2026-03-02",
    reporter_first_name: "Dana",
    reporter_last_name: "Ruiz",
    reporter_email: "dana@shop.example",
  };
  const ids = Object.entries(report).map(([name, value]) => [`field-${name}`, value]);
  await type(Object.fromEntries(ids))(page);
  await page.getByLabel(/agree to the/).check();
};

const SENT = {
  id: "5b0b7f3e-0000-4000-8000-000000000001",
  status: "pending",
  number: "R-5B0B7-F3E00",
  correction_token: "token-of-a-correction",
};

export const sendForm = all(
  fillForm,
  answer("reports/submit", 200, {
    data: SENT,
    message:
      "Report submitted successfully! Your report is being reviewed and will be posted soon.",
  }),
  press("Submit Report"),
  until("Report submitted successfully!"),
);

/** Adds an acceptable picture, and a file that is rejected. */
export const addFiles: Act = async (page) => {
  const files = page.locator('input[type="file"]');
  await files.waitFor({ state: "attached" });
  await page.route("**/prod/api/uploads*", (call) =>
    call.fulfill({
      status: 400,
      json: {
        success: false,
        error: { code: "file_refused", message: "This file is damaged or incomplete." },
      },
    }),
  );
  await files.setInputFiles([
    { name: "receipt.png", mimeType: "image/png", buffer: Buffer.from("cut off") },
    { name: "program.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  await page.getByText("receipt.png").first().waitFor();
};

export const exportData: Act = async (page) => {
  const file = { kind: "evidence", added_at: "2026-05-02T10:00:00.000Z", type: "application/pdf" };
  const long = `${"scan-of-the-signed-delivery-note-".repeat(4)}.pdf`;
  const files = [
    {
      ...file,
      file_id: "00000000-0000-4000-8000-000000000001",
      name: "invoice.pdf",
      bytes: 82_000,
    },
    { ...file, file_id: "00000000-0000-4000-8000-000000000002", name: long, bytes: 9_400_000 },
  ];
  const empty = { history: [], sessions: [], claims: [], inquiries: [] };
  const reports = [{ id: "00000000-0000-4000-8000-000000000003", files }];
  const about = { exported_at: "2026-11-23T10:00:00.000Z" };
  const data = { about, ...empty, reports, next: null, files: "x" };
  await answer("auth/export", 200, { data })(page);
  await press("Download My Data")(page);
  await page.getByText("Your data has been downloaded.").waitFor();
};

/** Types an order that the account has already reported. */
export const typeKnownOrder: Act = async (page) => {
  const report = { id: "00000000-0000-4000-8000-000000000003", status: "rejected" };
  const data = { report: { ...report, created_at: "2026-05-02T10:00:00.000Z" } };
  await page.route("**/same-order*", (route) => route.fulfill({ json: { success: true, data } }));
  await page.locator("#field-tracking_number").fill("WB-1042");
  await page
    .getByText(/^You reported this order on/)
    .first()
    .waitFor();
};

const asked = (n: number, title: string) => ({
  id: `5b0b7f3e-0000-4000-8000-00000000000${n}`,
  number: `R-5B0B7-F3E0${n}`,
  title,
  first_name: "Quinn",
  last_name: "Harper",
  question_id: `6b0b7f3e-0000-4000-8000-00000000000${n}`,
  question: "Which carrier delivered the order, and who signed for it?\nA photo is not needed.",
  asked_at: "2026-11-22T09:05:00.000Z",
  expires_at: "2099-12-22T09:05:00.000Z",
});

export const answerAsked = answer("account/reports/summary", 200, {
  data: {
    reports: 0,
    statuses: { pending: 0, under_review: 0, approved: 0, rejected: 0 },
    unconfirmed: 0,
    view_count: 0,
    months: [],
    asked: [asked(1, "Charged back a delivered order"), asked(2, "Returned check")],
  },
});

export const beginAnswer = all(
  until("Questions for you"),
  press(/^Answer/),
  press("Send Answer"),
  until("Answer is required"),
);

const resolution = (n: number, change: object) => ({
  id: `5b0b7f3e-0000-4000-8000-00000000000${n}`,
  number: `R-5B0B7-F3E0${n}`,
  first_name: "Maximiliana-Alexandrina",
  last_name: "Featherstonehaugh",
  is_public: true,
  stage: "requested",
  fee: { currency: "USD", amount: 250 },
  since: "2026-09-14T10:00:00.000Z",
  ...change,
});

export const answerResolutions = answer("admin/resolutions", 200, {
  data: {
    resolutions: [
      resolution(1, { is_public: false }),
      resolution(2, {}),
      resolution(3, { stage: "letter_accepted" }),
    ],
    has_more: true,
  },
});

/** Selects the first report, or the whole page if that is one checkbox. */
export const selectReports = inPage(async (page) => {
  await page
    .getByRole("checkbox", { name: /^Select / })
    .first()
    .check();
  await page.getByRole("region", { name: "Selected reports" }).waitFor();
});

export const rejectReports = inPage(async (page) => {
  await selectReports(page);
  await page.getByRole("button", { name: "Reject…", exact: true }).click();
  await page.getByLabel("Details for the reporters").waitFor();
});

/** Opens the page of the first user in the list. */
export const openFirstUser = inPage(async (page) => {
  await page.getByRole("main").getByRole("link").first().click();
  await page.getByRole("heading", { name: "History" }).waitFor();
});

export const failExport: Act = async (page) => {
  await cut("admin/exports")(page);
  await press("Export")(page);
  await press("CSV, for spreadsheets")(page);
  await until("Nothing was saved")(page);
};

export const nameFilter = inPage(async (page) => {
  await page.getByRole("tab", { name: /^Pending/ }).click();
  await page.waitForURL(/pending/);
  await press("Saved queries")(page);
  await page.getByRole("button", { name: "Save current query..." }).click();
  await page.getByLabel("Query name").fill("Waiting for a decision");
});

export const openEntry = inPage(async (page) => {
  // The bell above opens a dialog too.
  await page.locator('main :is(tbody, li) [aria-haspopup="dialog"]').first().click();
  await until("Stored record")(page);
});

export const openFirstReport: Act = (page) =>
  page.locator('main a[href^="/report/"]').first().click();

/** Scrolls to each picture on the page, and waits until it is loaded. */
export const loadPictures: Act = async (page) => {
  for (const picture of await page.getByRole("main").getByRole("img").all()) {
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((img: HTMLImageElement) => img.decode());
  }
};
