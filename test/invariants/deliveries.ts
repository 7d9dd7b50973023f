/** Attempts at a delivery, after which it is given up; that is not lost. */
export const MAX_ATTEMPTS = 12;

export interface Delivery {
  state: string;
  attempts: number;
}

/** The events of `due` that a webhook never accepted, each as a line. `deliveryOf`: what is stored about one. */
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
