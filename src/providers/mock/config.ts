import * as z from "zod";

export const mockKinds = [
  "networks",
  "servers",
  "databases",
  "buckets",
  "records",
  "services",
] as const;
export type MockKind = (typeof mockKinds)[number];

const MAX_LATE_MS = 3_600_000;
const MAX_TOKEN_LIFE_MS = 30 * 24 * 3_600_000;

/**
 * A scripted fault. `effect`: `before` answers the error instead of making the change; `after` makes the change and
 * answers the error; `fails` (creates only) accepts the create, but the object ends as `failed`. Status 0 is a dropped
 * connection. `lateMs`: the error is answered at once and the change is made that much later, whatever `effect` says.
 */
export const MockFault = z
  .object({
    kind: z.enum(mockKinds),
    name: z.string().min(1).max(255).optional(),
    on: z.enum(["create", "read", "update", "delete", "connection"]),
    times: z.int().min(1).max(1_000_000).default(1),
    status: z
      .int()
      .refine((status) => status === 0 || (status >= 400 && status <= 599), {
        error: "must be 0 or between 400 and 599",
      })
      .default(503),
    /** The error's code. Absent: one by the status. */
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,49}$/)
      .optional(),
    effect: z.enum(["before", "after", "fails"]).default("before"),
    lateMs: z.int().min(0).max(MAX_LATE_MS).optional(),
  })
  .refine((fault) => fault.effect !== "fails" || fault.on === "create", {
    path: ["effect"],
    error: "`fails` is only for creates",
  })
  .refine((fault) => fault.lateMs === undefined || fault.effect !== "fails", {
    path: ["effect"],
    error: "`fails` cannot be late: leave out `effect` or `lateMs`",
  })
  .refine((fault) => fault.lateMs === undefined || !["read", "connection"].includes(fault.on), {
    path: ["lateMs"],
    error: "`lateMs` is only for creates, updates and deletes: a read changes nothing",
  });
export type MockFault = z.infer<typeof MockFault>;

/** The `config` of a mock target. */
export const MockConfig = z.object({
  latencyMs: z.int().min(0).max(60_000).default(0).describe("How long each answer takes"),
  readyAfterMs: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(0)
    .describe("How long a new object is not ready"),
  faults: z
    .array(MockFault)
    .max(100)
    .default([])
    .describe('Calls that fail, such as [{"kind": "servers", "on": "create", "status": 503}]'),
  /**
   * Changes answer 202 with an operation, which ends after `takesMs` and is forgotten after `forgottenAfterMs`. A create
   * that `fails` leaves a failed object that its operation names, or, `unnamed`, nothing.
   */
  operations: z
    .object({
      takesMs: z.int().min(0).max(MAX_LATE_MS).default(0),
      forgottenAfterMs: z.int().min(0).max(MAX_LATE_MS).optional(),
      failed: z.enum(["named", "unnamed"]).default("named"),
    })
    .optional()
    .describe('Changes answer with an operation, which ends later, such as {"takesMs": 5000}'),
  /**
   * Every call needs a session, which lives for `lifeMs` and serves `callsEach` calls, then 401. The first `failures`
   * requests for one are answered 503.
   */
  sessions: z
    .object({
      lifeMs: z.int().min(1).max(MAX_TOKEN_LIFE_MS),
      callsEach: z.int().min(1).max(1_000_000).optional(),
      failures: z.int().min(0).max(1_000_000).default(0),
    })
    .optional()
    .describe('Calls need a session, which ends, such as {"lifeMs": 60000}'),
  listLagMs: z
    .int()
    .min(0)
    .max(MAX_LATE_MS)
    .default(0)
    .describe("How long lists do not show a new object"),
  /** 409 `in_use`. */
  refusesInUse: z
    .boolean()
    .default(false)
    .describe("An object that others name among their properties is not deleted"),
  tokens: z
    .union([z.literal("none"), z.object({ lifeMs: z.int().min(0).max(MAX_TOKEN_LIFE_MS) })])
    .optional()
    .describe(
      'How long idempotency tokens are remembered, such as {"lifeMs": 60000}; "none": the cloud takes none. Not set: for ever',
    ),
  account: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/)
    .optional()
    .describe("The account that the credential opens, in a-z, 0-9 and -: each has its own objects"),
  longestRequestMs: z
    .int()
    .min(0)
    .max(MAX_LATE_MS)
    .optional()
    .describe("After how long a request that was sent can still take effect"),
});
export type MockConfig = z.infer<typeof MockConfig>;

/** Carries the target's config to the built-in cloud as ASCII JSON. */
export const MOCK_CONFIG_HEADER = "x-mock-config";

/**
 * Marks an answer that `connectMockCloud` replaces with a dropped connection. Throwing in the object would instead
 * report the scripted fault as a crash.
 */
export const DROPPED_HEADER = "x-mock-dropped";
