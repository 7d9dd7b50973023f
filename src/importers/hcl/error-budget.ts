/** How much parsing after errors may cost: the library's reports of progress, and one for each text with errors. */
export interface ErrorBudget {
  /** False: it is used up. */
  spend: () => boolean;
}

/** A budget that is also spent from another one. */
export function errorBudget(size: number, within?: ErrorBudget): ErrorBudget {
  let left = size;
  return {
    spend() {
      left -= 1;
      return left >= 0 && (within?.spend() ?? true);
    },
  };
}
