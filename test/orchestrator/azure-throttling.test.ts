/**
 * Many runs at one subscription that throttles as Azure does: with a bucket of reads and one of writes, which refill
 * steadily. Each answer tells the rest of its bucket. A call that finds its bucket empty is refused.
 */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { CLIENT_SECRET } from "#test/providers/azure/arm-cloud.ts";
import { makeUnlimitedTenant } from "#test/support/api.ts";
import { azureScene, azureTarget } from "#test/support/azure-target.ts";
import { makeInstance, makeTemplate, untilOver } from "#test/support/cloud.ts";
import { countFor } from "#test/support/depth.ts";
import { runnerOf, start } from "#test/support/runner.ts";

/** Two minutes: the runs wait for the cloud in real time. */
const LOOKS = 6_000;
/** An ordinary run takes none, because they wait in real time. */
const RUNS = countFor({ ordinary: 0, deep: 30 });
const OBJECTS = 3;
const source = `resources:
${Array.from({ length: OBJECTS }, (_, n) => `  i${n}: { type: azure:Microsoft.ManagedIdentity/userAssignedIdentities, properties: { tags: { n: "${n}" } } }`).join("\n")}
`;

/** The size and the refill rate of a bucket, as Azure documents them for a subscription and an application. */
class Bucket {
  refused = 0;
  #level: number;
  readonly #most: number;
  readonly #perSecond: number;
  #atMs = Date.now();

  constructor(most: number, perSecond: number, level: number) {
    this.#most = most;
    this.#perSecond = perSecond;
    this.#level = level;
  }

  /** The rest after a call; undefined: the call is refused. */
  take(): number | undefined {
    const nowMs = Date.now();
    const filled = ((nowMs - this.#atMs) / 1000) * this.#perSecond;
    this.#level = Math.min(this.#most, this.#level + filled);
    this.#atMs = nowMs;
    if (this.#level < 1) {
      this.refused += 1;
      return undefined;
    }
    this.#level -= 1;
    return Math.floor(this.#level);
  }
}

const scene = azureScene();

it.runIf(RUNS > 0)(
  `${RUNS} runs finish, none starves, and none overdraws the buckets by more than a call`,
  async () => {
    // The buckets begin nearly empty, so that the runs empty them soon.
    const buckets = { reads: new Bucket(250, 25, 10), writes: new Bucket(200, 10, 4) };
    scene.answer = async (request) => {
      if (!request.url.includes("/subscriptions/")) return undefined;
      const kind = request.method === "GET" ? "reads" : "writes";
      const left = buckets[kind].take();
      const name = `x-ms-ratelimit-remaining-subscription-${kind}`;
      if (left === undefined)
        return Response.json(
          {
            error: {
              code: "SubscriptionRequestsThrottled",
              message: "Number of requests exceeded",
            },
          },
          { status: 429, headers: { "retry-after": "3", [name]: "0" } },
        );
      const answer = await scene.cloud.fetch(request);
      const headers = new Headers(answer.headers);
      headers.set(name, `${left}`);
      return new Response(answer.body, { status: answer.status, headers });
    };
    const tenant = await makeUnlimitedTenant();
    const name = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_AZURE`;
    const target = await tenant.post(
      "/cloud/targets",
      azureTarget({ credentialRef: `env://${name}` }),
    );
    const templateId = await makeTemplate(tenant, source);
    const ids = await Promise.all(
      Array.from({ length: RUNS }, async () => {
        const instanceId = await makeInstance(tenant, templateId, target.body.id);
        await runInDurableObject(runnerOf(instanceId), (runner) => {
          Object.assign((runner as unknown as { env: object }).env, { [name]: CLIENT_SECRET });
        });
        return start(tenant, instanceId);
      }),
    );
    const ended = await Promise.all(ids.map((id) => untilOver(tenant, id, LOOKS)));
    for (const { body } of ended) expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
    expect(scene.cloud.living()).toHaveLength(RUNS * OBJECTS);
    expect(buckets.reads.refused + buckets.writes.refused).toBeLessThanOrEqual(RUNS);
  },
  300_000,
);
