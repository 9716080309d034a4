/** What a person reads when their website's address is none. */
export const WEBSITE_SENTENCE = "Please enter a valid URL";

/** Whether it is an absolute address of the web, without a password in it. */
export function isWebsite(value: string): boolean {
  if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}
