/** A fake as the conformance of providers needs it: empty, at its own time, failing as a script says. */
import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import type { FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeFault } from "#test/support/fake-cloud/fake-faults.ts";
import { RealProfile } from "#test/support/fake-cloud/real/real-profile.ts";
import type { ConformanceCloud, ConformanceScript } from "./conformance-subject.ts";

const HOUR_MS = 3_600_000;

/** What every fake can be told. */
export interface ScriptedOptions {
  now: () => number;
  readyAfterMs: number;
  endsFailed: boolean;
  listLagMs: number;
  faults: readonly FakeFault[];
}

export interface ConformingFake {
  context: (more: Partial<ProviderContext>) => ProviderContext;
  fetch: (request: Request) => Promise<Response>;
  /** Ids of all that exists, as the provider spells them. What is there from the start does not count. */
  living: () => readonly string[];
  finish: () => void;
  /** Makes one object of this name, or like it if another has it, as a stranger would. */
  put?: (name: string, at: number) => void;
  /** Requests to where one signs in do not count as sent to the cloud. */
  isSignIn?: (url: URL) => boolean;
}

/** The cloud of a script, whose faults come at one collection. */
export function conformanceCloud(
  collection: string,
  script: ConformanceScript,
  fakeOf: (options: ScriptedOptions) => ConformingFake,
): ConformanceCloud {
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const { context, living, finish, put, isSignIn, ...fake } = fakeOf({
    now,
    readyAfterMs: script.slow ? HOUR_MS : 0,
    endsFailed: script.endsFailed ?? false,
    listLagMs: script.listLagMs ?? 0,
    faults: (script.faults ?? []).map((fault) => ({ collection, ...fault })),
  });
  const { real } = script;
  const fetch =
    real === undefined
      ? fake.fetch
      : new RealProfile(real.cloud, fake.fetch, { seed: real.seed, now }).fetch;
  const before = new Set(living());
  const origins = new Set<string>();
  return {
    context: context({
      fetch: (request) => {
        const url = new URL(request.url);
        if (isSignIn?.(url) !== true) origins.add(url.origin);
        return fetch(request);
      },
    }),
    existing: async () => living().filter((id) => !before.has(id)),
    finish: async () => finish(),
    ...(put !== undefined && {
      addForeign: (name: string, count: number) => {
        for (let at = 0; at < count; at += 1) put(name, at);
      },
    }),
    advance: (ms) => {
      aheadMs += ms;
    },
    origins: () => origins,
  };
}

/** The same of a cloud that is made from its description. */
export function describedConformanceCloud(
  collection: string,
  script: ConformanceScript,
  cloudOf: (options: FakeOptions) => DescribedCloud & { finish?: () => void },
  foreign: (name: string, at: number) => JsonMap,
): ConformanceCloud {
  return conformanceCloud(collection, script, (options) => {
    const cloud = cloudOf(options);
    return {
      context: cloud.context,
      fetch: cloud.fetch,
      living: () => cloud.fake.living(collection).map(({ key }) => key),
      finish: cloud.finish ?? (() => cloud.fake.finish()),
      put: (name, at) => cloud.fake.put(collection, foreign(name, at)),
    };
  });
}

/** The name of the stranger's object at this place in a row of them: all have the same, where that can be. */
export function foreignName(name: string, at: number, uniqueNames: true | undefined): string {
  return at > 0 && uniqueNames === true ? `${name}-${at}` : name;
}
