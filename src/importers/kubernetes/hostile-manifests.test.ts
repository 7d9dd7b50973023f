import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { kubernetesParser } from "./kubernetes.ts";

/** Processor time. Each of these took several times as much before. */
const MAX_SECONDS = 2;

/** The modules of these files of JSON, and the seconds of a processor that reading them takes. */
function read(files: Readonly<Record<string, unknown>>) {
  const all = Object.entries(files).map(([path, of]) => ({ path, text: JSON.stringify(of) }));
  const spentMs = processorTime();
  const { modules } = parsedBy(kubernetesParser, all, new ImportLog());
  return { modules, seconds: spentMs() / 1000 };
}

const each = <Made>(length: number, of: (at: number) => Made) =>
  Array.from({ length }, (_, at) => of(at));
const list = (items: readonly unknown[]) => ({ apiVersion: "v1", kind: "List", items });

it("objects whose names the cluster makes are counted in a moment", () => {
  const one = { apiVersion: "v1", kind: "Pod", metadata: { generateName: "a-" } };
  const { modules, seconds } = read({ "a.json": list(each(8_000, () => one)) });
  const addresses = modules[0]?.resources.map(({ address }) => address) ?? [];
  expect(addresses.slice(0, 3)).toEqual(["Pod/default/a-", "Pod/default/a-#2", "Pod/default/a-#3"]);
  expect(addresses.at(-1)).toBe("Pod/default/a-#8000");
  expect(seconds).toBeLessThan(MAX_SECONDS);
});
