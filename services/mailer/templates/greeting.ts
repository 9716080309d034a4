/** A scheme, an at sign, "www." or a dot between a label and two letters: mail programs link these. */
const LINK =
  /@|:\/\/|\b(?:https?|ftp|mailto|tel|data|javascript):|\bwww[.。]|[\p{L}\p{N}\p{M}][.。]\p{L}{2,}/iu;

/**
 * Whether a mail program may make a link of a stranger's words. Mails go to addresses that nobody
 * has confirmed yet: what anybody can write into them must lead nowhere.
 */
export function looksLikeLink(text: string): boolean {
  // Full-width letters and signs count as what they look like, as in a browser's address bar.
  return LINK.test(text.normalize("NFKC"));
}

/**
 * `report "Title"`, or `report` alone when the title may become a link.
 * @param confirmed whether the address that the mail goes to was confirmed: its owner wrote the title.
 */
export function reportCalled(title: string, confirmed: boolean): string {
  return title === "" || (!confirmed && looksLikeLink(title)) ? "report" : `report "${title}"`;
}

/** Greets by the first name, or by none when it is no name. */
export function greeting(firstName: string): string {
  return firstName === "" || looksLikeLink(firstName) ? "Hello," : `Hello ${firstName},`;
}
