import * as z from "zod";

export const mockKinds = ["networks", "servers", "databases", "buckets", "records"] as const;
export type MockKind = (typeof mockKinds)[number];

/**
 * A scripted fault. `effect`: `before` answers the error instead of making the change; `after` makes the change and
 * answers the error; `fails` (creates only) accepts the create, but the object ends as `failed`. Status 0 is a dropped
 * connection.
 */
export const MockFault = z
  .object({
    kind: z.enum(mockKinds),
    name: z.string().min(1).max(255).optional(),
    on: z.enum(["create", "read", "update", "delete"]),
    times: z.int().min(1).max(1_000_000).default(1),
    status: z
      .int()
      .refine((status) => status === 0 || (status >= 400 && status <= 599), {
        error: "must be 0 or between 400 and 599",
      })
      .default(503),
    effect: z.enum(["before", "after", "fails"]).default("before"),
  })
  .refine((fault) => fault.effect !== "fails" || fault.on === "create", {
    path: ["effect"],
    error: "`fails` is only for creates",
  });
export type MockFault = z.infer<typeof MockFault>;

/** The `config` of a mock target. */
export const MockConfig = z.object({
  /** Latency of each answer. */
  latencyMs: z.int().min(0).max(60_000).default(0),
  /** Time for which a new object stays `creating`. */
  readyAfterMs: z.int().min(0).max(3_600_000).default(0),
  faults: z.array(MockFault).max(100).default([]),
});
export type MockConfig = z.infer<typeof MockConfig>;

/** Carries the target's config to the built-in cloud as ASCII JSON. */
export const MOCK_CONFIG_HEADER = "x-mock-config";

/**
 * Marks an answer that `connectMockCloud` replaces with a dropped connection. Throwing in the object would instead
 * report the scripted fault as a crash.
 */
export const DROPPED_HEADER = "x-mock-dropped";
