/** The message for an invalid address of a website. */
export const WEBSITE_SENTENCE = "Please enter a valid URL";

/** Whether it is an absolute web address without a password in it. */
export function isWebsite(value: string): boolean {
  if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}
