/** A file was not taken. */
export class FileNotSent extends Error {
  override name = "FileNotSent";
  /**
   * `passing`: the line broke, or the server was away; another attempt soon may succeed. `later`: it may
   * after a while. `never`: the file is refused.
   */
  readonly hope: "passing" | "later" | "never";

  constructor(message: string, hope: FileNotSent["hope"]) {
    super(message);
    this.hope = hope;
  }
}
