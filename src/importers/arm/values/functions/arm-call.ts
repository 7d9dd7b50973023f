import type { ArmNode } from "#importers/arm/arm-syntax.ts";
import type { Step } from "#importers/arm/values/arm-steps.ts";
import type { Turn } from "#importers/arm/values/arm-turn.ts";
import type { Expression } from "#importers/expression.ts";

export type CallNode = Extract<ArmNode, { kind: "call" }>;

/** A call with its evaluated arguments. Those of a function with lambdas are the values alone. */
export interface CalledNode {
  node: CallNode;
  args: readonly Expression[];
  steps: readonly Step[];
  line: number;
  turn: Turn;
}
