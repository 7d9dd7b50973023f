import { describe, expect, it } from "vitest";
import type { Bindings } from "#kernel/bindings.ts";
import type { Provider } from "#providers/provider.ts";
import { contextWith } from "./provider-context.ts";

const target = {
  id: "target-1",
  tenantId: "tenant-1",
  provider: "gcp" as const,
  region: "eu-1",
  environment: "any" as const,
  config: {},
  credentialRef: null,
};
const connected = async () => new Response();
const provider = {
  name: "gcp",
  hosts: ["compute"],
  connect: () => connected,
} as unknown as Provider;

function contextIn(setting: string, more: { ownerId?: string; tenantId?: string } = {}) {
  const { ownerId, tenantId = target.tenantId } = more;
  const env = { PROVIDER_ENDPOINTS: setting } as unknown as Bindings;
  return contextWith(
    { env, now: () => 0, newId: () => "id-1" },
    {
      provider,
      target: { ...target, tenantId },
      credential: null,
      calledFor: { id: "run-1", operation: "deploy" },
      ...(ownerId === undefined ? {} : { ownerId }),
    },
  );
}

describe("the operator's redirection", () => {
  it("reaches the context, and takes the place of a binding", () => {
    expect(contextIn("{}").fetch).toBe(connected);
    const whole = contextIn('{"gcp":"http://g.example"}');
    expect(whole).toMatchObject({ endpoint: "http://g.example" });
    expect(whole).not.toHaveProperty("endpoints");
    expect(whole.fetch).not.toBe(connected);
    const named = contextIn('{"gcp":{"compute":"http://c.example"}}');
    expect(named).toMatchObject({ endpoints: { compute: "http://c.example" } });
    expect(named).not.toHaveProperty("endpoint");
    expect(named.fetch).not.toBe(connected);
  });

  it("of a host that the provider does not have blocks every call, which would reach the real cloud", () => {
    expect(() => contextIn('{"gcp":{"comptue":"http://c.example"}}')).toThrow(
      'names a host "comptue" of gcp, which has no such host. Its hosts: compute.',
    );
  });

  it("that is malformed blocks every call", () => {
    expect(() => contextIn('{"gcp":7}')).toThrow("no provider can be called");
  });
});

describe("the account of a target", () => {
  it("belongs to its tenant, and to none of the tenants that share the platform's target", () => {
    expect(contextIn("{}", { ownerId: "tenant-1" }).ownAccount).toBe(true);
    expect(contextIn("{}", { ownerId: "tenant-2" })).not.toHaveProperty("ownAccount");
    expect(contextIn("{}")).not.toHaveProperty("ownAccount");
    const shared = { ownerId: "platform", tenantId: "platform" };
    expect(contextIn("{}", shared)).not.toHaveProperty("ownAccount");
  });
});
