import type { Mutant } from "./mutant.ts";

export const incidentsMutants: readonly Mutant[] = [
  {
    id: "resolved-incident-moves",
    what: "A resolved incident becomes MONITORING",
    file: "src/areas/incidents/incident.ts",
    from: 'RESOLVED: ["INVESTIGATING", "RESOLVED"],',
    to: 'RESOLVED: ["INVESTIGATING", "MONITORING", "RESOLVED"],',
    test: "src/areas/incidents/incident.test.ts",
    noticedBy: "cannot change",
  },
  {
    id: "impact-forgotten",
    what: "An update without an impact forgets the one before",
    file: "src/areas/incidents/incident.ts",
    from: "(given ?? before)",
    to: '(given ?? "UNKNOWN")',
    test: "src/areas/incidents/incident.test.ts",
    noticedBy: "keeps the impact, or sets it",
  },
  {
    id: "resolved-incident-keeps-impact",
    what: "A resolved incident keeps its impact",
    file: "src/areas/incidents/incident.ts",
    from: 'return status === "RESOLVED" ? "OPERATIONAL" : (given ?? before);',
    to: "return given ?? before;",
    test: "src/areas/incidents/incident.test.ts",
    noticedBy: "that resolves sets OPERATIONAL",
  },
];
