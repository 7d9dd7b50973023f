import type { Expression } from "#importers/expression.ts";
import type { Step } from "./arm-steps.ts";
import type { ArmNode } from "./arm-syntax.ts";
import type { Turn } from "./arm-turn.ts";

export type CallNode = Extract<ArmNode, { kind: "call" }>;

/** A call with its evaluated arguments. Those of a function with lambdas are the values alone. */
export interface CalledNode {
  node: CallNode;
  args: readonly Expression[];
  steps: readonly Step[];
  line: number;
  turn: Turn;
}
