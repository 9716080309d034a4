/** The searchable part of a report about a person. */
export const person = (first_name: string, last_name: string, texts = {}) => ({
  first_name,
  last_name,
  title: "",
  description: "",
  city: "",
  state: "TX",
  ...texts,
});
