/** What every simulated service is made of: the objects of the Worker, and its settings. */
import type { Bindings } from "#kernel/bindings.ts";
import { QuotaCounter } from "#kernel/limits/quota-counter.ts";
import { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import { MockCloud } from "#providers/mock/mock-cloud.ts";

export const OPERATOR_KEY = "simulation-operator-key";
export const OLD_KEY = `k1:${btoa("0123456789abcdef0123456789abcdef")}`;

export const classes = {
  INSTANCE_RUNNER: InstanceRunner,
  TARGET_GATE: TargetGate,
  MOCK_CLOUD: MockCloud,
  QUOTA_COUNTER: QuotaCounter,
} as const;

export const settings: Partial<Bindings> = {
  BOOTSTRAP_API_KEY: OPERATOR_KEY,
  SEALING_KEYS: OLD_KEY,
  RATE_LIMITS: "off",
  SERVER_TIMING: "off",
  PROVIDER_ENDPOINTS: "{}",
  OIDC_PROVIDERS: "[]",
  OPERATORS: "",
  ALLOWED_ORIGINS: "",
  STALL_SECONDS: "30",
  WEBHOOK_ALLOW_INSECURE: "off",
};
