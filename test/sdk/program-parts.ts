/** What the program of program.ts is given, and what it tells: in types of its own, for who runs it. */

export interface Delivery {
  headers: Record<string, string>;
  body: string;
}

export interface ProgramParts {
  baseUrl: string;
  operatorKey: string;
  /** The key of an admin of the tenant, who is another person. */
  keyOfAdmin: (tenantId: string) => Promise<string>;
  fetch: (request: Request) => Promise<Response>;
  webhookUrl: string;
  /** What arrived at the webhook's URL so far. */
  received: () => readonly Delivery[];
  pause: (ms: number) => Promise<void>;
}

export interface ProgramResult {
  plannedActions: string[];
  /** The instances found by state and label, with the number of their template's latest version. */
  found: [name: string, latestVersion: number | null | undefined][];
  log: string[];
  outputs: Record<string, unknown>;
  /** The kinds of the events whose signature is good, in the order of their sequence. */
  deploymentEvents: string[];
  refusals: string[];
}
