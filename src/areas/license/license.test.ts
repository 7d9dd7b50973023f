import { describe, expect, it } from "vitest";
import { planLimits } from "#schema/lists/plans.ts";
import { type License, type LicenseStatus, standingAt } from "./license.ts";
import { requireLicense } from "./require-license.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const END_MS = Date.UTC(2030, 0, 1);

const license = (more: Partial<License> = {}): License => ({
  id: "license-1",
  plan: "team",
  licensee: "Acme",
  limits: {},
  features: ["sso"],
  notBeforeMs: null,
  expiresAtMs: END_MS,
  ...more,
});

const standing = (now: number, more: Partial<License> = {}) =>
  standingAt({ kind: "license", license: license(more) }, now);

describe("the standing of an installation", () => {
  it.for<[string, number, LicenseStatus]>([
    ["long before its end", END_MS - 400 * DAY_MS, "ACTIVE"],
    ["just over 14 days before its end", END_MS - 14 * DAY_MS - 1, "ACTIVE"],
    ["14 days before its end", END_MS - 14 * DAY_MS, "EXPIRING"],
    ["a moment before its end", END_MS - 1, "EXPIRING"],
    ["at its end", END_MS, "GRACE"],
    ["a moment before its grace ends", END_MS + 14 * DAY_MS - 1, "GRACE"],
    ["when its grace ends", END_MS + 14 * DAY_MS, "EXPIRED"],
    ["long after", END_MS + 4000 * DAY_MS, "EXPIRED"],
  ])("with a license, %s", ([, now, status]) => {
    expect(standing(now)).toMatchObject({
      status,
      plan: "team",
      features: ["sso"],
      graceEndsAtMs: END_MS + 14 * DAY_MS,
      problem: null,
    });
  });

  it("with a license that is not yet valid, is the community plan", () => {
    const early = standing(END_MS - 100 * DAY_MS, { notBeforeMs: END_MS - 100 * DAY_MS + 1 });
    expect(early).toMatchObject({ status: "NOT_YET_VALID", plan: "community", features: [] });
    expect(early.limits).toEqual(planLimits.community);
    expect(early.problem).toContain("2029-");
    const due = standing(END_MS - 100 * DAY_MS, { notBeforeMs: END_MS - 100 * DAY_MS });
    expect(due.status).toBe("ACTIVE");
  });

  it("without a valid license, is the community plan", () => {
    const community = { plan: "community", limits: planLimits.community, license: undefined };
    expect(standingAt({ kind: "none" }, 0)).toMatchObject({ ...community, status: "COMMUNITY" });
    const invalid = standingAt({ kind: "invalid", problem: "It is broken." }, 0);
    expect(invalid).toMatchObject({ ...community, status: "INVALID", problem: "It is broken." });
  });

  it("has the plan's limits, overridden by valid limits of the license", () => {
    const limits = {
      instances: 7,
      targets: 0,
      templates: null,
      webhooks: -1,
      members: 1.5,
      apiKeys: "many",
      seats: 3,
    };
    expect(standing(0, { limits }).limits).toEqual({
      ...planLimits.team,
      instances: 7,
      targets: 0,
      templates: null,
    });
  });
});

describe("the operations that need a license", () => {
  const statuses: LicenseStatus[] = [
    "COMMUNITY",
    "ACTIVE",
    "EXPIRING",
    "GRACE",
    "NOT_YET_VALID",
    "INVALID",
  ];

  it.for(["deploy", "plan", "rollback"])("include %s, until the grace period ends", (operation) => {
    for (const status of statuses) requireLicense({ status }, operation);
    expect(() => requireLicense({ status: "EXPIRED" }, operation)).toThrow(
      expect.objectContaining({ code: "license_limit" }),
    );
  });

  it.for(["destroy", "drift_check"])("do not include %s", (operation) => {
    for (const status of [...statuses, "EXPIRED" as const])
      expect(() => requireLicense({ status }, operation)).not.toThrow();
  });
});
