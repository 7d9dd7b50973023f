/** The attempts after which a delivery is given up, which is no loss. */
export const MAX_ATTEMPTS = 12;

export interface Delivery {
  state: string;
  attempts: number;
}

/** The events of `due` that a webhook never accepted, each as a line. `deliveryOf`: the stored row of a delivery. */
export function undelivered(
  webhook: string,
  due: readonly { id: string; type: string }[],
  accepted: Pick<ReadonlySet<string>, "has">,
  deliveryOf: (eventId: string) => Delivery | undefined,
): string[] {
  return due.flatMap(({ id, type }) => {
    if (accepted.has(id)) return [];
    const delivery = deliveryOf(id);
    const isGivenUp = delivery?.state === "EXHAUSTED" && delivery.attempts >= MAX_ATTEMPTS;
    return isGivenUp
      ? []
      : [`${webhook} never got ${type} ${id}: ${JSON.stringify(delivery ?? "no delivery")}`];
  });
}
