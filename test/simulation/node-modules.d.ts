/** Types of the Node modules that the simulation uses: the test suites are typed for Workers, without Node. */
declare module "node:sqlite" {
  export type Cell = null | number | bigint | string | Uint8Array;
  export interface StatementSync {
    all(...values: Cell[]): Record<string, Cell>[];
    columns(): { name: string }[];
  }
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): StatementSync;
    function(name: string, run: (...values: Cell[]) => Cell): void;
    close(): void;
  }
}
declare module "node:fs" {
  export function readFileSync(path: URL, encoding: "utf8"): string;
  export function readdirSync(path: URL): string[];
}
declare module "node:process" {
  export const env: Readonly<Record<string, string | undefined>>;
}
declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, work: () => R): R;
    getStore(): T | undefined;
  }
}
