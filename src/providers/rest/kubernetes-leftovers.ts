import type { TypeFacts } from "#providers/provider.ts";

/** What stays of a Kubernetes cluster: clouds delete the machines, and not what the cluster asked them for. */
export const kubernetesLeftovers: NonNullable<TypeFacts["leaves"]> = {
  says: "Load balancers and volumes that the cluster made stay, and cost: first delete its services of type LoadBalancer and its volume claims.",
};
