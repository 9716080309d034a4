/** What the search needs about a report on a person. */
export const person = (first_name: string, last_name: string, texts = {}) => ({
  first_name,
  last_name,
  title: "",
  description: "",
  city: "",
  state: "TX",
  ...texts,
});
