/** The name of a form inside a sentence: "DMCA notice", "law enforcement request". */
export function formInSentence(title: string): string {
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}
