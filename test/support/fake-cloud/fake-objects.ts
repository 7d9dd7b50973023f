import type { FakeObject } from "./rules.ts";

/** The objects of a fake cloud, with the changes that time brings. */
export class FakeObjects {
  readonly #objects: FakeObject[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(object: FakeObject): void {
    this.#objects.push(object);
  }

  remove(object: FakeObject): void {
    this.#objects.splice(this.#objects.indexOf(object), 1);
  }

  /** The existing objects, in the order of creation. */
  living(): FakeObject[] {
    const nowMs = this.#now();
    for (const object of this.#objects) {
      const due = object.later.filter(({ atMs }) => atMs <= nowMs);
      object.later = object.later.filter(({ atMs }) => atMs > nowMs);
      for (const { change } of due) change(object);
    }
    return this.#objects.filter(({ deletedMs }) => deletedMs === undefined || deletedMs > nowMs);
  }

  find(
    collection: string,
    key: string,
    params: Readonly<Record<string, string>>,
  ): FakeObject | undefined {
    return this.living().find(
      (object) =>
        object.collection === collection &&
        object.key === key &&
        Object.entries(params).every(([name, value]) => object.params[name] === value),
    );
  }

  /** Makes a change at that time; at once if the time has passed. */
  changeAt(atMs: number, object: FakeObject, change: (object: FakeObject) => void): void {
    if (atMs <= this.#now()) change(object);
    else object.later.push({ atMs, change });
  }

  /** Ends every wait. */
  finish(): void {
    for (const object of this.#objects) {
      for (const { change } of object.later.splice(0)) change(object);
      if (object.deletedMs !== undefined) object.deletedMs = 0;
    }
  }
}
