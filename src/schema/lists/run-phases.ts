/**
 * The phases of a run. `waiting`: not loaded yet. `gate`: waits for a slot. `parked`: its plan waits for approval, and
 * it holds no slot.
 */
export const runPhases = ["waiting", "gate", "planning", "parked", "applying", "closed"] as const;

export type RunPhase = (typeof runPhases)[number];
