/** Runs at an AWS that throttles as the real one: by a bucket of calls, about which only a refusal tells. */
import { describe, expect, it } from "vitest";
import { awsProvider } from "#providers/aws/aws-provider.ts";
import { makeTenant } from "#test/support/api.ts";
import { awsScene, instanceAt, sharedTarget } from "#test/support/aws-target.ts";
import { untilOver } from "#test/support/cloud.ts";
import { countFor } from "#test/support/depth.ts";
import { start } from "#test/support/runner.ts";

/** Two minutes: the runs wait for the cloud in real time. */
const LOOKS = 6_000;
const RUNS = countFor({ ordinary: 3, deep: 30 });
const BUCKETS = 2;
/** The time without calls after a refusal. */
const HOLD_MS = 1_500;
/** Calls at once, and in each second after them. */
const BURST = countFor({ ordinary: 6, deep: 20 });
const PER_SECOND = countFor({ ordinary: 6, deep: 5 });

const source = `resources:
${Array.from({ length: BUCKETS }, (_, n) => `  b${n}: { type: aws:AWS::S3::Bucket, properties: {} }`).join("\n")}
`;
const scene = awsScene(["AWS::S3::Bucket"], () => ({ operationMs: 0 }));

describe("runs on one target of AWS", () => {
  it(`end, all ${RUNS} of them, and once AWS refuses a call only those in progress follow it`, async () => {
    const tenant = await makeTenant();
    const targetId = await sharedTarget();
    const instances = await Promise.all(
      Array.from({ length: RUNS }, () => instanceAt(scene, tenant, targetId, source)),
    );
    let tokens = BURST;
    let filledMs = Date.now();
    const refusedMs: number[] = [];
    scene.answer = () => {
      const nowMs = Date.now();
      tokens = Math.min(BURST, tokens + ((nowMs - filledMs) / 1_000) * PER_SECOND);
      filledMs = nowMs;
      if (tokens >= 1) {
        tokens -= 1;
        return undefined;
      }
      refusedMs.push(nowMs);
      const body = { __type: "ThrottlingException", Message: "Rate exceeded" };
      return Response.json(body, { status: 400 });
    };
    const ids = await Promise.all(instances.map((id) => start(tenant, id)));
    const ended = await Promise.all(ids.map((id) => untilOver(tenant, id, LOOKS)));
    expect(ended.map(({ body }) => body.state)).toEqual(ids.map(() => "SUCCEEDED"));
    expect(scene.aws.control.living("AWS::S3::Bucket")).toHaveLength(RUNS * BUCKETS);
    expect(scene.aws.control.ledger).toHaveLength(RUNS * BUCKETS);
    expect(refusedMs.length).toBeGreaterThan(0);
    const { concurrency } = awsProvider();
    for (const first of refusedMs) {
      const same = refusedMs.filter((ms) => ms >= first && ms < first + HOLD_MS);
      expect(same.length, `after ${first - (refusedMs[0] ?? 0)} ms`).toBeLessThanOrEqual(
        concurrency,
      );
    }
  }, 240_000);
});
