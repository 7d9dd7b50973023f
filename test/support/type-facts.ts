import { vi } from "vitest";
import { mockTypes } from "#providers/mock/types.ts";
import type { TypeFacts } from "#providers/provider.ts";

/** Gives types of the mock provider further facts, until `vi.restoreAllMocks()`. */
export function withFacts(more: Readonly<Record<string, Partial<TypeFacts>>>): void {
  const known = mockTypes.facts.bind(mockTypes);
  vi.spyOn(mockTypes, "facts").mockImplementation((type) => {
    const facts = known(type);
    return facts && { ...facts, ...more[type] };
  });
}
