import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

/** How long a fake cloud of a person takes to make an object usable. */
export const READY_AFTER_MS = 2_000;

export function printChange({ verb, by, name }: FakeLedgerEntry): void {
  console.log(`${verb} ${name} (${by})`);
}

/** Serves a cloud that is made from its description to a person, and prints every change and what is not as described. */
export async function runDescribedCloud({
  provider,
  called,
  defaultPort,
  cloud,
  lines,
}: {
  provider: string;
  called: string;
  defaultPort: string;
  cloud: DescribedCloud;
  /** What a person needs besides its URL, such as a token, by what it is. */
  lines: Readonly<Record<string, string>>;
}): Promise<never> {
  cloud.fake.afterChange = printChange;
  return runFakeCloud({
    defaultPort,
    fetch: (request) => cloud.fetch(request),
    problems: () =>
      cloud.violations
        .splice(0)
        .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
    greeting: (url) =>
      [
        `A fake ${called} listens on ${url}`,
        ...Object.entries({
          ...lines,
          PROVIDER_ENDPOINTS: JSON.stringify({ [provider]: url }),
        }).map(([label, value]) => label.padEnd(20) + value),
      ].join("\n"),
  });
}
