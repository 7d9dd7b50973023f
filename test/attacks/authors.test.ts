/**
 * Every way to bring about a change that another person's deployment carries out, and then to be the other person whom
 * `always` asks for (docs/safeguards.md).
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { processTrigger } from "#areas/triggers/process-trigger.ts";
import type { JsonMap } from "#platform/json.ts";
import {
  type Answer,
  type Client,
  makeUnlimitedTenant,
  operator,
  type TestTenant,
} from "#test/support/api.ts";
import {
  addVersion,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { makeMember, type TestMember } from "#test/support/members.ts";
import { until } from "#test/support/runner.ts";

const source = (note: string) => `
name: authors
runtime: yaml
config:
  cidr: { type: string, default: 10.0.0.0/16 }
  other: { type: string, default: 10.1.0.0/16 }
resources:
  net: { type: mock:Network, properties: { name: net, cidr: "\${cidr}" } }
  lan: { type: mock:Network, properties: { name: "lan-${note}", cidr: "\${other}" } }
outputs:
  range: \${lan.cidr}
`;

interface Place {
  targetId: string;
  templateId: string;
  instanceId: string;
  profileId: string;
  upstreamId: string;
}

let tenant: TestTenant;
/** Three administrators: the one who tries, the one whose deployment it becomes, and one who has to do with neither. */
let ann: TestMember;
let bob: TestMember;
let cy: TestMember;
let upstreamId: string;

beforeAll(async () => {
  tenant = await makeUnlimitedTenant();
  [ann, bob, cy] = [
    await makeMember(tenant.tenantId, "CustomerAdmin"),
    await makeMember(tenant.tenantId, "CustomerAdmin"),
    await makeMember(tenant.tenantId, "CustomerAdmin"),
  ];
  const at = [await makeTemplate(tenant, source("up")), await makeTarget(tenant)] as const;
  upstreamId = await makeInstance(tenant, ...at);
  expect((await run(tenant, upstreamId, "deploy")).body.state).toBe("SUCCEEDED");
});

const done = (answer: Answer): Answer => {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};
const patched = async (by: Client, { instanceId }: Place, body: JsonMap) =>
  done(await by.patch(`/instances/${instanceId}`, body));
const profile = async (by: Client, variables: JsonMap): Promise<string> =>
  done(await by.post("/profiles", { name: "ranges", variables, tenantId: tenant.tenantId })).body
    .id;

/** An instance that has been deployed, of which every plan waits from now on. */
async function place(approvalMode = "always"): Promise<Place> {
  const targetId = await makeTarget(tenant);
  const templateId = await makeTemplate(tenant, source("one"));
  const profileId = await profile(tenant, { other: "10.2.0.0/16" });
  const instanceId = await makeInstance(tenant, templateId, targetId, { profileId });
  const at = { targetId, templateId, instanceId, profileId, upstreamId };
  expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
  await patched(tenant, at, { approvalMode });
  return at;
}

async function waiting(deploymentId: string): Promise<string> {
  expect((await untilOver(tenant, deploymentId)).body.state).toBe("AWAITING_APPROVAL");
  return deploymentId;
}

let ranges = 20;
/** The other person changes something of their own, and deploys. */
async function deployed(by: Client, at: Place): Promise<string> {
  ranges += 1;
  await patched(by, at, { variables: { cidr: `10.${ranges}.0.0/16` } });
  return waiting(done(await by.post(`/instances/${at.instanceId}/deploy`)).body.id);
}

/** The deployment that a trigger of the other person's starts. */
async function triggered({ instanceId }: Place): Promise<string> {
  let started = "";
  await until("the trigger has started a deployment", async () => {
    const { body } = await tenant.get(`/deployments?instanceId=${instanceId}`);
    started = body.data.find((one: JsonMap) => one["trigger"] !== "manual")?.id ?? "";
    return started !== "";
  });
  return waiting(started);
}

async function refused(by: Client, deploymentId: string): Promise<string> {
  expect((await by.get(`/deployments/${deploymentId}`)).body.actions).toEqual(["discard"]);
  const answer = await by.post(`/deployments/${deploymentId}/approve`);
  expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  expect(answer.body.detail).toMatch(/its approval mode is `always`: another person must approve/);
  return answer.body.detail;
}

/** The state in which the approved deployment ends. */
async function approved(by: Client, deploymentId: string): Promise<string> {
  expect((await by.get(`/deployments/${deploymentId}`)).body.actions).toContain("approve");
  done(await by.post(`/deployments/${deploymentId}/approve`));
  return (await untilOver(tenant, deploymentId)).body.state;
}

interface Way {
  /** What the one who tries does. */
  act: (by: Client, at: Place) => Promise<unknown>;
  says: RegExp;
  /** How the other person's deployment comes about; absent: they deploy. */
  deploys?: (by: Client, at: Place, act: () => Promise<unknown>) => Promise<string>;
}

const newVersion: Way["act"] = async (by, { templateId }) =>
  done(await by.post(`/templates/${templateId}/versions`, { source: source("two") }));
const otherRange: Way["act"] = (by, at) => patched(by, at, { variables: { other: "10.9.0.0/16" } });
/** The other person's trigger is due once the act is done. */
const byTrigger =
  (trigger: JsonMap): NonNullable<Way["deploys"]> =>
  async (by, at, act) => {
    const { body } = done(await by.post(`/instances/${at.instanceId}/triggers`, trigger));
    await act();
    const ref = { id: body.id, instanceId: at.instanceId, tenantId: tenant.tenantId };
    await processTrigger(env, ref, Date.now() + 86_400_000);
    return triggered(at);
  };
const bySchedule = byTrigger({ kind: "schedule", condition: { cron: "0 5 * * *" } });
const byVersions = byTrigger({ kind: "template_version", condition: {} });

/** A version with a component, which gets a release afterwards that somebody else wrote. */
const withComponent: Way["act"] = async (by, { templateId }) => {
  const name = `part-${crypto.randomUUID()}`;
  const part = `name: part\nruntime: yaml\nresources: { lan: { type: "mock:Network", properties: { name: part } } }\n`;
  const made = done(await tenant.post("/templates", { name, source: part, release: "1.0.0" }));
  const whole = source("two").replace("outputs:", `  part: { component: ${name} }\noutputs:`);
  done(await by.post(`/templates/${templateId}/versions`, { source: whole }));
  const next = { source: part, release: "1.1.0" };
  done(await tenant.post(`/templates/${made.body.id}/versions`, next));
};

const ways: Readonly<Record<string, Way>> = {
  "a new version that another's trigger deploys": {
    act: newVersion,
    says: /^You wrote or installed the template version of this deployment/,
    deploys: byVersions,
  },
  "a source that another's trigger takes with a component's release": {
    act: withComponent,
    says: /^You wrote or installed the template version of this deployment/,
    deploys: async (by, at, act) => {
      const id = await byTrigger({ kind: "template_version", condition: { components: true } })(
        by,
        at,
        act,
      );
      expect((await tenant.get(`/instances/${at.instanceId}`)).body.templateVersion).toBe(3);
      return id;
    },
  },
  "a new version that another takes and deploys": {
    act: newVersion,
    says: /^You wrote or installed the template version of this deployment/,
    deploys: async (by, at, act) => {
      await act();
      await patched(by, at, { templateVersion: 2 });
      return deployed(by, at);
    },
  },
  "variables before another deploys": {
    act: otherRange,
    says: /^You made the instance, or changed it since the last deployment that succeeded/,
  },
  "variables before another's schedule": {
    act: otherRange,
    says: /^You made the instance, or changed it/,
    deploys: bySchedule,
  },
  "a binding": {
    act: (by, at) =>
      patched(by, at, { bindings: { other: { instanceId: at.upstreamId, output: "range" } } }),
    says: /^You made the instance, or changed it/,
  },
  "another version that somebody else wrote": {
    act: async (by, at) => {
      await newVersion(tenant, at);
      await patched(by, at, { templateVersion: 2 });
    },
    says: /^You made the instance, or changed it/,
  },
  "another profile": {
    act: async (by, at) =>
      patched(by, at, { profileId: await profile(tenant, { other: "10.8.0.0/16" }) }),
    says: /^You made the instance, or changed it/,
  },
  "the variables of the profile": {
    act: async (by, { profileId }) =>
      done(await by.patch(`/profiles/${profileId}`, { variables: { other: "10.7.0.0/16" } })),
    says: /^You set variables of the instance's profile since the last deployment that succeeded/,
  },
  "a profile that another takes": {
    act: async (by, at) => {
      at.profileId = await profile(by, { other: "10.6.0.0/16" });
    },
    says: /^You set variables of the instance's profile/,
    deploys: async (by, at, act) => {
      await act();
      await patched(by, at, { profileId: at.profileId });
      return deployed(by, at);
    },
  },
  "the config of the target": {
    act: async (by, { targetId }) =>
      done(await by.patch(`/cloud/targets/${targetId}`, { config: { latencyMs: 5 } })),
    says: /^You changed the instance's target since the last deployment that succeeded/,
  },
  "a destroy by the target": {
    act: async (by, { targetId }) =>
      done(await by.patch(`/cloud/targets/${targetId}`, { config: { latencyMs: 6 } })),
    says: /^You changed the instance's target/,
    deploys: async (by, { instanceId }, act) => {
      await act();
      return waiting(done(await by.post(`/instances/${instanceId}/destroy`)).body.id);
    },
  },
  "a trigger that took a version, after which another deploys": {
    act: async (by, at) => {
      const id = await byVersions(by, at, () => newVersion(tenant, at));
      done(await tenant.post(`/deployments/${id}/discard`));
    },
    says: /^You made the instance, or changed it/,
  },
  "a rollback that was discarded": {
    act: async (by, at) => {
      await addVersion(tenant, at.instanceId, at.templateId, source("two"));
      const { body } = done(await tenant.post(`/instances/${at.instanceId}/deploy`));
      expect(await approved(cy, await waiting(body.id))).toBe("SUCCEEDED");
      const back = done(await by.post(`/deployments/${body.id}/rollback`)).body.id;
      done(await tenant.post(`/deployments/${await waiting(back)}/discard`));
    },
    says: /^You made the instance, or changed it/,
  },
};

describe("under `always`, whoever brought about a change does not approve it: not", () => {
  for (const [name, { act, says, deploys }] of Object.entries(ways))
    it(`by ${name}`, async () => {
      const at = await place();
      const acts = () => act(ann, at);
      let id: string;
      if (deploys === undefined) {
        await acts();
        id = await deployed(bob, at);
      } else id = await deploys(bob, at, acts);
      expect(await refused(ann, id)).toMatch(says);
      expect(await refused(bob, id)).toMatch(/^You (requested|wrote|made)/);
      expect(await approved(cy, id)).toBe("SUCCEEDED");
    });

  it("as one of two authors, nor because a plan was discarded in between", async () => {
    const at = await place();
    const dot = await makeMember(tenant.tenantId, "CustomerAdmin");
    await otherRange(ann, at);
    const first = await deployed(dot, at);
    done(await cy.post(`/deployments/${first}/discard`));
    const id = await deployed(bob, at);
    for (const author of [ann, dot]) await refused(author, id);
    expect(await approved(cy, id)).toBe("SUCCEEDED");
  });

  it("as the one who made the instance", async () => {
    const { targetId, templateId } = await place();
    const made = { name: "made", targetId, templateId, approvalMode: "always" };
    const instanceId = done(await ann.post("/instances", made)).body.id;
    const { body } = done(await bob.post(`/instances/${instanceId}/deploy`));
    await refused(ann, await waiting(body.id));
    expect(await approved(cy, body.id)).toBe("SUCCEEDED");
  });

  it("as one of more than are kept: only an operator knows better", async () => {
    const at = await place();
    await env.DB.prepare(`UPDATE instances SET authors = '{"*":999}' WHERE id = ?`)
      .bind(at.instanceId)
      .run();
    const id = await deployed(bob, at);
    const answer = await cy.post(`/deployments/${id}/approve`);
    expect([answer.status, answer.body.detail]).toEqual([
      403,
      "More people have written what this deployment takes than are kept, and its approval mode is `always`: an operator must approve it.",
    ]);
    await env.DB.prepare("UPDATE template_versions SET authors = '{}' WHERE template_id = ?")
      .bind(at.templateId)
      .run();
    const again = await deployed(bob, at);
    expect(await approved(operator, again)).toBe("SUCCEEDED");
  });
});

describe("under `always`, these may approve:", () => {
  it("the author of what an earlier deployment took that succeeded, and of what is none of it", async () => {
    const at = await place();
    await otherRange(ann, at);
    expect(await approved(cy, await deployed(bob, at))).toBe("SUCCEEDED");
    await patched(ann, at, { labels: { team: "shop" }, protectedFromDestroy: false });
    done(await ann.patch(`/cloud/targets/${at.targetId}`, { maxConcurrentDeployments: 3 }));
    done(await ann.patch(`/profiles/${at.profileId}`, { name: "other ranges" }));
    expect(await approved(ann, await deployed(bob, at))).toBe("SUCCEEDED");
  });

  it("the author of variables, for a destroy, which takes none", async () => {
    const at = await place();
    await otherRange(ann, at);
    const { body } = done(await bob.post(`/instances/${at.instanceId}/destroy`));
    expect(await approved(ann, await waiting(body.id))).toBe("SUCCEEDED");
  });

  it("the author of variables that a rollback does not take", async () => {
    const at = await place();
    const first = await deployed(bob, at);
    expect(await approved(cy, first)).toBe("SUCCEEDED");
    await otherRange(ann, at);
    const { body } = done(await bob.post(`/deployments/${first}/rollback`));
    expect(await approved(ann, await waiting(body.id))).toBe("SUCCEEDED");
  });
});

it("lets authors approve under `destructive`, as before", async () => {
  const at = await place("destructive");
  await otherRange(ann, at);
  expect(await approved(ann, await deployed(bob, at))).toBe("SUCCEEDED");
});
