import { expect, it, vi } from "vitest";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { describedProvider } from "./described-provider.ts";

type Parts = Pick<RunnerParts, "env" | "resources">;

/** The parts of a runner whose instance has an object of this type. */
function partsWith(type: string, fetch: (url: string) => Promise<Response>) {
  const view = { serial: 1, current: new Map([["old", { type }]]), pendingDeletes: [] };
  const resources = vi.fn<() => Promise<object>>(async () => ({ view }));
  return { env: { ASSETS: { fetch } }, resources } as unknown as Parts;
}

const open = { ...sampleProvider(), openTypes: true };

it("has the facts of the types of the template and of the instance's objects, besides its own", async () => {
  const parts = partsWith("aws:AWS::SQS::Queue", builtAssets.fetch);
  const provider = await describedProvider(open, ["aws:AWS::S3::Bucket"], parts);
  expect(provider.facts("aws:AWS::S3::Bucket")?.immutable).toContain("BucketName");
  expect(provider.facts("aws:AWS::SQS::Queue")?.readOnly).toContain("Arn");
  expect(provider.facts("aws:AWS::Kinesis::StreamConsumer")).toBeUndefined();
  expect(provider.facts("vultr:Thing")).toEqual(open.facts("vultr:Thing"));
});

it("reads nothing for a provider that brings all its types", async () => {
  const fetch = vi.fn<typeof builtAssets.fetch>(builtAssets.fetch);
  const parts = partsWith("mock:Network", fetch);
  const provider = sampleProvider();
  expect(await describedProvider(provider, ["aws:AWS::S3::Bucket"], parts)).toBe(provider);
  expect([fetch.mock.calls, vi.mocked(parts.resources).mock.calls]).toEqual([[], []]);
});

it("fails as unreachable if the assets cannot be read, so that the run waits", async () => {
  const parts = partsWith("mock:Network", async () => new Response(null, { status: 500 }));
  // The catalogue's module keeps shards that other suites of this process have read.
  vi.resetModules();
  const fresh = await import("./described-provider.ts");
  const outside = await import("#platform/outside.ts");
  const failed = await fresh.describedProvider(open, ["gcp:fake/Unread"], parts).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outside.isFromOutside(failed)).toBe(true);
});
