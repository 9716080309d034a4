/** Works with what it is given of the write side, and keeps nothing else. */
export abstract class Service<Deps> {
  protected readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }
}
